import { parse } from "yaml";
import { z } from "zod";
import type { Finding } from "../../core/finding.ts";

const FrontMatter = z.object({
  id: z.coerce.string().optional(),
  agent: z.string().optional(),
  depends_on: z.array(z.coerce.string()).default([]),
  files: z.array(z.string()).default([]),
});

const TASK_AGENTS = ["implementer", "documentation-writer"] as const;

export type Task = {
  readonly id: string;
  readonly path: string;
  readonly agent: (typeof TASK_AGENTS)[number];
  readonly depends_on: readonly string[];
  readonly files: readonly string[];
};
export type ReadTask = { readonly task: Task; readonly warnings: readonly string[] };

/**
 * A task file starts with YAML between two `---` lines: `id`, `agent`, `depends_on`, `files`. All of it may be
 * left out: the id is then the file's name, the agent an implementer.
 */
export function readTask(path: string, text: string): ReadTask {
  const name = path.split("/").at(-1)?.replace(/\.md$/, "") ?? path;
  const [, block] = /^---\n([\s\S]*?)\n---/.exec(text) ?? [];
  const parsed = FrontMatter.safeParse(yaml(block));
  const { id = name, agent, depends_on, files } = parsed.success ? parsed.data : FrontMatter.parse({});
  const known = agent === undefined || TASK_AGENTS.some((each) => each === agent);
  const task: Task = {
    id,
    path,
    depends_on,
    files,
    agent: TASK_AGENTS.find((each) => each === agent) ?? "implementer",
  };
  return {
    task,
    warnings: [
      ...(parsed.success ? [] : [`${path}: its front matter could not be read`]),
      ...(known ? [] : [`${path}: unknown agent "${agent}", implementer is used`]),
    ],
  };
}

const SEVERITIES: Readonly<Record<string, Finding["severity"]>> = {
  blocker: "blocker",
  critical: "critical",
  high: "major",
  major: "major",
  medium: "minor",
  low: "minor",
  minor: "minor",
};

/** Findings are list items that begin with their severity: `- [Major] message (src/a.ts)`. */
export function findingsIn(text: string, by: string): Finding[] {
  const lines = [...text.matchAll(/^\s*[-*]\s*\[(\w+)\]\s*(.+)$/gm)];
  return lines.flatMap(([, word = "", message = ""]) => {
    const severity = SEVERITIES[word.toLowerCase()];
    if (!severity) return [];
    const files = [...message.matchAll(/[\w./-]+\/[\w.-]+\.\w+/g)].map(([path]) => path);
    return [{ severity, message: message.trim(), by, ...(files.length > 0 && { files }) }];
  });
}

function yaml(block: string | undefined): unknown {
  try {
    return block === undefined ? {} : (parse(block) ?? {});
  } catch {
    return undefined;
  }
}
