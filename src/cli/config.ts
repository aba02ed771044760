import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";
import { SignalboxError } from "../core/errors.ts";
import { nearest } from "../drivers/scripted/nearest.ts";

const Agent = z.strictObject({
  driver: z.enum(["command", "codex"]),
  argv: z.array(z.string()).min(1).optional(),
  model: z.string().optional(),
});

const Config = z.strictObject({
  /** Shell lines that the engine runs on a tree, by name. */
  commands: z.record(z.string().regex(/^[a-z][\w-]*$/i), z.string().min(1)).default({}),
  /** Role → how it is run; `*` stands for every role that has no entry of its own. */
  agents: z.record(z.string(), Agent).default({}),
  approvals: z.enum(["interactive", "autonomous"]).optional(),
});
export type Config = z.infer<typeof Config>;
export type ConfiguredAgent = z.infer<typeof Agent>;

const KEYS = { file: Object.keys(Config.shape), agent: Object.keys(Agent.shape) };

/** The repository's own configuration; undefined when it brings none. */
export async function readConfig(file: string): Promise<Config | undefined> {
  if (!existsSync(file)) return undefined;
  const parsed = Config.safeParse(yamlOf(await readFile(file, "utf8"), file) ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap(describe);
  throw invalid(file, problems);
}

function yamlOf(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw invalid(file, [`not YAML: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function describe(issue: z.core.$ZodIssue): string[] {
  const where = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return [`${where || "the file"}: ${issue.message}`];
  const known = issue.path.length === 0 ? KEYS.file : KEYS.agent;
  return issue.keys.map((key) => {
    const close = nearest(key, known);
    const advice = close ? `did you mean "${close}"?` : `known here: ${known.join(", ")}`;
    return `unknown key "${[where, key].filter(Boolean).join(".")}"; ${advice}`;
  });
}

function invalid(file: string, problems: readonly string[]): SignalboxError {
  return new SignalboxError(
    "CONFIG_INVALID",
    `${file} cannot be used:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    "Correct the file; nothing was started.",
  );
}
