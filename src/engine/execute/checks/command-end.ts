import { mkdir, stat } from "node:fs/promises";
import { findKillSignal } from "../../../core/checks/outcome/process-end.ts";
import { SignalboxError } from "../../../core/failure/errors.ts";
import type { Command } from "../../../core/journal/effect.ts";
import type { ProcessExit } from "../../../core/ports/processes.ts";
import type { WorkFolder } from "../../../core/ports/workspace.ts";
import { removeFolder } from "../../../node/remove-folder.ts";
import type { ExecutorDeps } from "../executor.ts";
import { addReportPath, requestReports } from "./ask-for-reports.ts";

const WALL_MS = 30 * 60_000;
/** A package manager that waits for input prints nothing, and gives no reason. */
const SETUP_SILENCE_MS = 5 * 60_000;
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** One command on one checkout, and all that it needs. */
export type CommandOrder = {
  readonly cookie: string;
  readonly command: Command;
  readonly spool: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The checkout. */
  readonly place: WorkFolder;
  /** The folder to which its test programs write the result of each test. */
  readonly reports: string;
  /** True for the set-up: most of what it prints is progress. */
  readonly isSetup: boolean;
  readonly signal: AbortSignal;
};

export type CommandRunEnd = {
  readonly exit: ProcessExit;
  /** The start time, by the clock of the disk. */
  readonly since: number;
  /** A note for people about how often it ran. */
  readonly again?: string;
};

/**
 * Runs a command, and once more if another process killed it: a killed command has judged nothing. If it is killed
 * twice, a person must find the cause first.
 */
export async function runToEnd(parts: ExecutorDeps, at: CommandOrder): Promise<CommandRunEnd> {
  const { command, place, signal } = at;
  const first = await runOnce(parts, at);
  const by = findKillSignal(first.exit);
  if (by === undefined || signal.aborted) return first;
  await place.restore();
  const second = await runOnce(parts, at);
  const still = findKillSignal(second.exit);
  if (still !== undefined && !signal.aborted) throw createKilledError(command, still);
  return { ...second, again: `[${by} from another process ended the first run, so it was run again]` };
}

function createKilledError({ name, run }: Command, by: string): SignalboxError {
  return new SignalboxError(
    "CHECK_KILLED",
    `${name} (${run}) was killed twice, by ${by} from another process: it has not judged the tree.`,
    "Find out what kills it (out of memory, see `dmesg`; a job limit; a person) and fix that. `signalbox resume` then runs it again.",
  );
}

async function runOnce(parts: ExecutorDeps, at: CommandOrder): Promise<CommandRunEnd> {
  // Empties the folder: a run that was cut short may have left reports.
  await removeFolder(at.reports);
  await mkdir(at.reports, { recursive: true, mode: 0o700 });
  const since = (await stat(at.reports)).mtimeMs;
  const { asked = true, run: line } = at.command;
  const env = asked ? await requestReports({ folder: at.reports, env: at.env }) : at.env;
  const started = await parts.processes.start({
    command: "sh",
    // The line is the team's own configuration, approved by a person; no agent's text ever gets here.
    args: ["-c", asked ? addReportPath(line) : line],
    cwd: at.cwd,
    env,
    spool: at.spool,
    cookie: at.cookie,
    limits: {
      wallMs: WALL_MS,
      outputBytes: OUTPUT_BYTES,
      ...(at.isSetup ? { silenceMs: SETUP_SILENCE_MS } : {}),
    },
  });
  const stop = () => void started.stop("canceled");
  at.signal.addEventListener("abort", stop, { once: true });
  if (at.signal.aborted) stop();
  const exit = await started.exited;
  at.signal.removeEventListener("abort", stop);
  return { exit, since };
}
