import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readYaml } from "../../core/text/outside-yaml.ts";
import { DRIVERS } from "../../drivers/index.ts";
import { readInCheckout } from "../../node/checkout-file.ts";

/** Folders where repositories keep agent definitions. The first one wins if two define the same role. */
const DEFINITION_FOLDERS = [
  ...DRIVERS.flatMap(({ definitions }) => definitions ?? []).toSorted(
    (a, b) => Number(b.shared ?? false) - Number(a.shared ?? false),
  ),
  // Repositories that publish agents keep them at the top level.
  { folder: ".", ending: ".agent.md" },
];

/** Suffix by which projects mark that another agent starts this one. It is not part of the name. */
const SUFFIX = /-subagent$/;

/** Values that mean "inherit the model". */
const INHERITED_MODELS: ReadonlySet<string> = new Set(["", "inherit", "default"]);

const FrontMatter = z.looseObject({
  name: z.string().optional(),
  description: z.string().optional(),
  model: z.string().optional(),
  pipeline: z.union([z.string(), z.array(z.string())]).optional(),
});

/** An agent definition from the repository. */
export type AgentFile = {
  readonly path: string;
  readonly folder: string;
  /** Role names that this file matches: the file name and the `name` in its front matter. */
  readonly names: readonly string[];
  readonly prompt: string;
  readonly description?: string;
  readonly model?: string;
  /** Pipelines named in the front matter. If undefined, the file applies to every pipeline with such a role. */
  readonly pipelines?: readonly string[];
  /** Pipelines whose agent set the folder holds, and the built-in pipelines that the file is therefore not used for. */
  readonly owners?: readonly string[];
  readonly notFor?: readonly string[];
  /** Keys of the front matter that are not read. */
  readonly unread: readonly string[];
  /** Reason why the file cannot be used. */
  readonly problem?: string;
};

export async function readAgentFiles(top: string): Promise<readonly AgentFile[]> {
  const found = await Promise.all(
    DEFINITION_FOLDERS.map(async ({ folder, ending }) => {
      const names = await readdir(join(top, folder)).catch(() => []);
      const files = names.filter((name) => name.endsWith(ending)).sort();
      return files.map((name) => readAgentFile({ top, folder, name, ending }));
    }),
  );
  return found.flat();
}

/** Returns the files that match a role, in order of precedence: matches by name first, then by alias. */
export function selectAgentFiles(
  files: readonly AgentFile[],
  { name, aliases = [] }: { readonly name: string; readonly aliases?: readonly string[] },
): readonly AgentFile[] {
  const called = [name, ...aliases].map((each) => files.filter((file) => file.names.includes(each.toLowerCase())));
  return [...new Set(called.flat())];
}

type AgentFilePath = {
  readonly top: string;
  readonly folder: string;
  readonly name: string;
  readonly ending: string;
};

function readAgentFile({ top, folder, name, ending }: AgentFilePath): AgentFile {
  const path = folder === "." ? name : `${folder}/${name}`;
  const stem = name.slice(0, -ending.length).toLowerCase();
  const read = readInCheckout(top, path);
  if (read.ok) return { path, folder, ...parseAgentDefinition(read.text, stem) };
  return { path, folder, ...parseAgentDefinition("", stem), problem: read.problem };
}

/** Parses an agent definition. `stem` is the file name without its ending. */
export function parseAgentDefinition(text: string, stem: string): Omit<AgentFile, "path" | "folder"> {
  const { head, body } = splitFrontMatter(text);
  const bare = { names: listRoleNames(stem), prompt: body.trim(), unread: [] };
  const front = parseFrontMatter(head);
  if (typeof front === "string") return { ...bare, problem: front };
  const { name, description, model, pipeline, ...rest } = front;
  const named = name?.trim().toLowerCase().replace(/\s+/g, "-");
  return {
    ...bare,
    names: listRoleNames(stem, named),
    ...(pipeline === undefined ? {} : { pipelines: [pipeline].flat() }),
    ...(description === undefined ? {} : { description }),
    ...(model === undefined || INHERITED_MODELS.has(model) ? {} : { model }),
    unread: Object.keys(rest),
    ...(bare.prompt === "" ? { problem: "it has no text below its front matter" } : {}),
  };
}

/** Returns each name as written and without the suffix. */
const listRoleNames = (...called: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(called.flatMap((name) => (name ? [name, name.replace(SUFFIX, "")] : []))),
];

function splitFrontMatter(text: string): { readonly head: string; readonly body: string } {
  const [, head = "", body] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? [];
  return body === undefined ? { head: "", body: text } : { head, body };
}

/** Returns the parsed front matter, or the reason why it cannot be read. */
function parseFrontMatter(head: string): z.infer<typeof FrontMatter> | string {
  const whole = readYaml(head);
  const read = whole.ok || whole.tooLong ? whole : readYaml(quoteSentences(head));
  if (!read.ok) return `its front matter is not YAML: ${whole.ok ? read.problem : whole.problem}`;
  const parsed = FrontMatter.safeParse(read.value ?? {});
  if (parsed.success) return parsed.data;
  return `its front matter is invalid: ${parsed.error.issues.map((issue) => `${issue.path.join(".") || "front matter"} ${issue.message}`).join("; ")}`;
}

/**
 * Quotes values that start like a sentence. People write sentences with colons in front matter, and editors parse it
 * line by line, so the rest of the line is one string.
 */
function quoteSentences(head: string): string {
  return head
    .split("\n")
    .map((line) => {
      const [, key, text = ""] = /^([A-Za-z][\w-]*):[ \t]+([\p{L}\p{N}].*)$/u.exec(line.trimEnd()) ?? [];
      return key === undefined ? line : `${key}: ${JSON.stringify(text)}`;
    })
    .join("\n");
}
