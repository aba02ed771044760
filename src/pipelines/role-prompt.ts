import { existsSync, readFileSync } from "node:fs";
import { SignalboxError } from "../core/failure/errors.ts";

/** Text of a role's prompt file, as `defineRole` takes it. */
export type RolePrompt = {
  readonly name: string;
  readonly does: string;
  readonly prompt: string;
  readonly protocol?: string;
};

const HEAD = /^---\nname: (\S+)\ndescription: (\S.*)\n---\n/;
/** Ends the prompt, which a repository's agent file replaces. The protocol below it always stays. */
const PROTOCOL = "\n<!-- protocol -->\n";
/** A path in a placeholder would read files that the consent to a copied pipeline does not cover. */
const PART_NAME = /^[a-z][a-z0-9-]*$/;
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Reads `prompts/<file>.md` beside a module (`import.meta.url`). The file has the form of an agent file: front matter with
 * `name` and `description`, then the prompt. `{{part}}` stands for the text of `prompts/shared/part.md`.
 */
export function loadRolePrompt(moduleUrl: string, file: string): RolePrompt {
  const path = `prompts/${file}.md`;
  const text = readText(new URL(path, moduleUrl));
  const [head = "", name, does] = HEAD.exec(text) ?? [];
  if (name === undefined || does === undefined) {
    throw createPromptError(
      `${path} does not begin with front matter.`,
      "Begin it with `---`, `name: …`, `description: …`, `---`.",
    );
  }
  const whole = text.slice(head.length).replaceAll(PLACEHOLDER, (_, part: string) => readPart(moduleUrl, path, part));
  const [prompt = "", protocol] = whole.split(PROTOCOL);
  return { name, does, prompt: prompt.trim(), ...(protocol === undefined ? {} : { protocol: protocol.trim() }) };
}

function readPart(moduleUrl: string, path: string, part: string): string {
  const url = new URL(`prompts/shared/${part}.md`, moduleUrl);
  const text = PART_NAME.test(part) && existsSync(url) ? readText(url).trim() : "";
  if (text !== "" && !text.includes("{{")) return text;
  throw createPromptError(
    `${path} contains {{${part}}}, and prompts/shared/${part}.md ${text === "" ? "is missing or empty" : "has a placeholder itself"}.`,
    "Correct the placeholder or the file that it names.",
  );
}

const readText = (url: URL): string => readFileSync(url, "utf8").replaceAll("\r\n", "\n");

function createPromptError(message: string, hint: string): SignalboxError {
  return new SignalboxError("PIPELINE_INVALID", message, hint);
}
