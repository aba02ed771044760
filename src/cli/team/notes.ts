import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { QUOTA_POLICIES } from "../../core/budget/quota.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Json } from "../../core/text/json.ts";
import { listScripts } from "../../drivers/scripted/index.ts";
import type { AgentFlags } from "../agents/agents.ts";
import { Assignments } from "../project/config.ts";

const Patience = z.number().int().positive();

/** Start options that are not in the journal and that workers need. */
const Notes = z.object({
  v: z.literal(1),
  /** Name of the submitter, and the hash of the repository code they trusted. */
  by: z.string(),
  trusted: z.string(),
  needs: z.array(z.string()),
  agent: z.array(z.string()),
  /** Content of the files given with `--agents`. */
  script: z.array(z.string()).optional(),
  agents: Assignments.shape.agents,
  patience: z.object({ wallMs: Patience.optional(), silenceMs: Patience.optional() }),
  usageWindow: z.enum(QUOTA_POLICIES),
});
export type TeamNotes = z.infer<typeof Notes>;

/**
 * Reads the notes of a run, newest row first. Others can write these rows as well. The oldest readable row defines the
 * submission; the newest one defines the agents, because `resume --agents` changes nothing else.
 */
export function readTeamNotes(run: string, rows: readonly Json[]): TeamNotes {
  const read = rows.map((row) => Notes.safeParse(row));
  const readable = read.flatMap(({ data }) => data ?? []);
  const [last, first] = [readable[0], readable.at(-1)];
  if (last && first) {
    const { script: _script, ...submitted } = first;
    return { ...submitted, agent: last.agent, ...(last.script ? { script: last.script } : {}) };
  }
  const [newest] = read;
  const unread =
    newest?.error === undefined
      ? "are missing from the team's database"
      : `cannot be read in the team's database (${formatProblems(newest.error)})`;
  throw new SignalboxError(
    "RUN_UNKNOWN",
    `The start options of run ${run} ${unread}, so no worker can continue it.`,
    `Start a new run with \`signalbox run\`, and cancel this one with \`signalbox cancel ${run}\`.`,
  );
}

const MAX_PROBLEMS = 3;

function formatProblems({ issues }: z.ZodError): string {
  const problems = issues.map(({ path, message }) => `${path.join(".") || "the row"}: ${message}`);
  return problems.slice(0, MAX_PROBLEMS).join("; ");
}

/** Converts the notes to agent flags. The script is written to files in the worker's folder. */
export async function toAgentFlags({ agent, script }: TeamNotes, folder: string): Promise<AgentFlags> {
  if (!script) return { agent };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [at, text] of script.entries()) {
    await writeFile(join(folder, `${String(at).padStart(4, "0")}.yaml`), text, { mode: 0o600 });
  }
  return { agent, agents: folder };
}

/** Reads the files given with `--agents`, to be sent with the run. */
export async function readAgentScript(file: string | undefined): Promise<TeamNotes["script"]> {
  if (file === undefined) return undefined;
  return Promise.all(listScripts(resolve(file)).map((path) => readFile(path, "utf8")));
}
