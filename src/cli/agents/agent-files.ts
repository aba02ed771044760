import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readYaml } from "../../core/text/outside-yaml.ts";
import { DRIVERS } from "../../drivers/index.ts";
import { readInCheckout } from "../../node/checkout-file.ts";

/** Where repositories keep agent definitions; of two for the same role the first counts. */
const HOMES = [
  ...DRIVERS.flatMap(({ definitions }) => definitions ?? []).toSorted(
    (a, b) => Number(b.shared ?? false) - Number(a.shared ?? false),
  ),
  // Repositories that publish agents have them at their top.
  { folder: ".", ending: ".agent.md" },
];

/** How projects mark that somebody else starts an agent: no part of its name. */
const SUFFIX = /-subagent$/;

/** Values that say "as my surroundings do": no model of their own. */
const NO_MODEL: ReadonlySet<string> = new Set(["", "inherit", "default"]);

const Front = z.looseObject({
  name: z.string().optional(),
  description: z.string().optional(),
  model: z.string().optional(),
  pipeline: z.union([z.string(), z.array(z.string())]).optional(),
});

/** An agent definition that a repository brings. */
export type AgentFile = {
  readonly path: string;
  readonly folder: string;
  /** What a role must be called to be played by it: the file's name, and the one it gives itself. */
  readonly names: readonly string[];
  readonly prompt: string;
  readonly description?: string;
  readonly model?: string;
  /** The pipelines that it names itself; without them it is for every one that has such a role. */
  readonly pipelines?: readonly string[];
  /** Whose set it is in, and which built-in pipelines it is not for because of that. */
  readonly owners?: readonly string[];
  readonly notFor?: readonly string[];
  /** What else its head says, which nothing here reads. */
  readonly unread: readonly string[];
  /** Why it cannot be used. */
  readonly problem?: string;
};

export async function agentFilesIn(top: string): Promise<readonly AgentFile[]> {
  const found = await Promise.all(
    HOMES.map(async ({ folder, ending }) => {
      const names = await readdir(join(top, folder)).catch(() => []);
      const files = names.filter((name) => name.endsWith(ending)).sort();
      return files.map((name) => readAgentFile({ top, folder, name, ending }));
    }),
  );
  return found.flat();
}

/** Those that are meant for a role, in the order in which they count: by its own name, then by another one of it. */
export function filesFor(
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
  if (read.ok) return { path, folder, ...readAgentText(read.text, stem) };
  return { path, folder, ...readAgentText("", stem), problem: read.problem };
}

/** What the text of a definition says; `stem` is the name of its file. */
export function readAgentText(text: string, stem: string): Omit<AgentFile, "path" | "folder"> {
  const { head, body } = split(text);
  const bare = { names: namesOf(stem), prompt: body.trim(), unread: [] };
  const front = headOf(head);
  if (typeof front === "string") return { ...bare, problem: front };
  const { name, description, model, pipeline, ...rest } = front;
  const named = name?.trim().toLowerCase().replace(/\s+/g, "-");
  return {
    ...bare,
    names: namesOf(stem, named),
    ...(pipeline === undefined ? {} : { pipelines: [pipeline].flat() }),
    ...(description === undefined ? {} : { description }),
    ...(model === undefined || NO_MODEL.has(model) ? {} : { model }),
    unread: Object.keys(rest),
    ...(bare.prompt === "" ? { problem: "it has no text below its head" } : {}),
  };
}

/** As it is called, and without the suffix that says who starts it. */
const namesOf = (...called: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(called.flatMap((name) => (name ? [name, name.replace(SUFFIX, "")] : []))),
];

function split(text: string): { readonly head: string; readonly body: string } {
  const [, head = "", body] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? [];
  return body === undefined ? { head: "", body: text } : { head, body };
}

/** Or why it cannot be read. */
function headOf(head: string): z.infer<typeof Front> | string {
  const whole = readYaml(head);
  const read = whole.ok || whole.tooLong ? whole : readYaml(quoted(head));
  if (!read.ok) return `its head is not YAML: ${whole.ok ? read.problem : whole.problem}`;
  const parsed = Front.safeParse(read.value ?? {});
  if (parsed.success) return parsed.data;
  return `its head does not fit: ${parsed.error.issues.map((issue) => `${issue.path.join(".") || "head"} ${issue.message}`).join("; ")}`;
}

/**
 * People write sentences with colons into a head, and editors read them line by line: what stands behind a key on its
 * own line and begins like a sentence is one text.
 */
function quoted(head: string): string {
  return head
    .split("\n")
    .map((line) => {
      const [, key, text = ""] = /^([A-Za-z][\w-]*):[ \t]+([\p{L}\p{N}].*)$/u.exec(line.trimEnd()) ?? [];
      return key === undefined ? line : `${key}: ${JSON.stringify(text)}`;
    })
    .join("\n");
}
