import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readYaml } from "../core/outside-yaml.ts";

/** Where repositories keep agent definitions; of two for the same role the first counts. */
const HOMES = [
  { folder: ".github/agents", ending: ".agent.md" },
  { folder: ".claude/agents", ending: ".md" },
  { folder: ".opencode/agent", ending: ".md" },
] as const;

/** Values that say "as my surroundings do": no model of their own. */
const NO_MODEL: ReadonlySet<string> = new Set(["", "inherit", "default"]);

const Front = z.looseObject({
  name: z.string().optional(),
  description: z.string().optional(),
  model: z.string().optional(),
});

/** An agent definition that a repository brings. */
export type AgentFile = {
  readonly path: string;
  readonly folder: (typeof HOMES)[number]["folder"];
  /** What a role must be called to be played by it: the file's name, and the one it gives itself. */
  readonly names: readonly string[];
  readonly prompt: string;
  readonly description?: string;
  readonly model?: string;
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
      return Promise.all(files.map(async (name) => readAgentFile({ top, folder, name, ending })));
    }),
  );
  return found.flat();
}

/** Those that are meant for a role, in the order in which they count. */
export function filesFor(files: readonly AgentFile[], role: string): readonly AgentFile[] {
  return files.filter((file) => file.names.includes(role.toLowerCase()));
}

type Place = {
  readonly top: string;
  readonly folder: AgentFile["folder"];
  readonly name: string;
  readonly ending: string;
};

async function readAgentFile({ top, folder, name, ending }: Place): Promise<AgentFile> {
  const path = `${folder}/${name}`;
  const text = await readFile(join(top, path), "utf8").catch(() => "");
  const stem = name.slice(0, -ending.length).toLowerCase();
  return { path, folder, ...readAgentText(text, stem) };
}

/** What the text of a definition says; `stem` is the name of its file. */
export function readAgentText(text: string, stem: string): Omit<AgentFile, "path" | "folder"> {
  const { head, body } = split(text);
  const bare = { names: [stem], prompt: body.trim(), unread: [] };
  const front = headOf(head);
  if (typeof front === "string") return { ...bare, problem: front };
  const { name, description, model, ...rest } = front;
  const named = name?.trim().toLowerCase().replace(/\s+/g, "-");
  return {
    ...bare,
    names: named && named !== stem ? [stem, named] : [stem],
    ...(description === undefined ? {} : { description }),
    ...(model === undefined || NO_MODEL.has(model) ? {} : { model }),
    unread: Object.keys(rest),
    ...(bare.prompt === "" ? { problem: "it has no text below its head" } : {}),
  };
}

function split(text: string): { readonly head: string; readonly body: string } {
  const [, head = "", body] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? [];
  return body === undefined ? { head: "", body: text } : { head, body };
}

/** Or why it cannot be read. */
function headOf(head: string): z.infer<typeof Front> | string {
  const read = readYaml(head);
  if (!read.ok) return `its head is not YAML: ${read.problem}`;
  const parsed = Front.safeParse(read.value ?? {});
  if (parsed.success) return parsed.data;
  return `its head does not fit: ${parsed.error.issues.map((issue) => `${issue.path.join(".") || "head"} ${issue.message}`).join("; ")}`;
}
