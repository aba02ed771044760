import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { createTranscript } from "../../drivers/transcript.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatDuration } from "../../surfaces/terminal/duration.ts";
import type { AttemptView } from "../../views/attempts.ts";
import type { Call } from "../call.ts";
import { printCheckLogs, printCheckOutput } from "../inspect/check-output.ts";
import { followLogs } from "../inspect/follow-logs.ts";
import { printPrompts } from "../inspect/prompt-text.ts";
import { type OutputTail, readStreams, readTail, resolveSpool, type SpoolOutput } from "../inspect/spool-text.ts";
import { formatLine, formatStream } from "../inspect/stream-lines.ts";
import { type ViewedRun, withView } from "../runs/with-run.ts";

export type LogFlags = {
  readonly step?: string;
  readonly output?: string;
  /** `true` selects the newest attempt. */
  readonly prompt?: string | true;
  readonly follow?: boolean;
  readonly lines?: string;
  /** Print the agents' protocol line by line. */
  readonly raw?: boolean;
  /** Print the output of the project's checks instead. */
  readonly checks?: boolean;
};

const DEFAULT_LINES = 20;

/** Prints the output of agents, attempt by attempt. */
export async function printLogs(call: Call, runRef: string | undefined, flags: LogFlags): Promise<number> {
  const most = parseLineLimit(flags.lines);
  return withView(call, runRef, async (found) => {
    const { output, step = "" } = flags;
    if (output !== undefined) return printCheckOutput(call, found, { output, most });
    if (flags.prompt === true) return printPrompts(call, found, selectAttempts(found, flags.step).slice(-1));
    if (flags.prompt !== undefined) return printPrompts(call, found, selectAttempts(found, flags.prompt));
    return flags.checks
      ? printCheckLogs(call, found, { step, most })
      : printAttemptLogs(call, found, { ...flags, most });
  });
}

async function printAttemptLogs(
  call: Call,
  found: ViewedRun,
  flags: Omit<LogFlags, "lines"> & { readonly most: number },
): Promise<number> {
  const { most, step = "" } = flags;
  const selected = selectAttempts(found, flags.step);
  const follows = flags.follow === true && found.view.end?.type !== "run.finished";
  // With --follow and --json every line is printed in the same form, including earlier ones.
  if (call.json && follows) return followLogs(call, found, { told: [], step, raw: true });
  const printed: AttemptOutput[] = [];
  const wanted = { most, raw: call.json || flags.raw === true };
  for (const each of selected) printed.push({ ...each, ...(await readAttemptOutput(found, each.started, wanted)) });
  printAttempts(call, found, printed);
  return follows ? followLogs(call, found, { told: printed, step, raw: wanted.raw }) : 0;
}

function printAttempts(call: Call, { store, row }: ViewedRun, printed: readonly AttemptOutput[]): void {
  const { redact } = store.world;
  if (call.json) {
    call.emit({ v: 1, run: row.id, attempts: printed.map((each) => toAttemptDocument(each, redact)) });
    return;
  }
  if (printed.length === 0) call.print(`No agent of ${row.id} has started yet.`);
  for (const each of printed) for (const line of formatAttempt(call, each)) call.print(redact(line));
}

function parseLineLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LINES;
  if (text === "all") return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new SignalboxError(
    "USAGE",
    `--lines ${text} is not a number.`,
    "Pass a number of lines per attempt, or `all`.",
  );
}

function selectAttempts({ row, view: { attempts } }: ViewedRun, step: string | undefined): readonly AttemptView[] {
  if (step === undefined) return attempts;
  const selected = attempts.filter(({ started }) => started.key.startsWith(step));
  if (selected.length > 0 || attempts.length === 0) return selected;
  const keys = [...new Set(attempts.map(({ started }) => started.key))];
  throw new SignalboxError(
    "USAGE",
    `No agent of ${row.id} ran in a step that starts with "${step}".`,
    `Steps with agents: ${keys.slice(0, 8).join(", ")}${keys.length > 8 ? ` and ${keys.length - 8} more` : ""}.`,
  );
}

type OutputOptions = { readonly most: number; readonly raw: boolean };

async function readAttemptOutput(
  { store }: ViewedRun,
  started: AttemptView["started"],
  wanted: OutputOptions,
): Promise<SpoolOutput> {
  const { most, raw } = wanted;
  const [folder, redact] = [resolveSpool(store, started), store.world.redact];
  if (raw) return readStreams(folder, { most, redact });
  // One protocol line may yield many text lines or none, so everything is read before lines are cut.
  const stdout = await readTail({ file: join(folder, "stdout"), most: Number.POSITIVE_INFINITY, redact });
  const stderr = await readTail({ file: join(folder, "stderr"), most, redact });
  return { stdout: stdout && toTranscript(stdout, most), stderr };
}

function toTranscript(tail: OutputTail, most: number): OutputTail {
  const transcript = createTranscript({ begun: tail.cut });
  const lines = tail.lines.flatMap((line) => transcript.lines(line));
  return { ...tail, lines: lines.slice(-most), cut: tail.cut || lines.length > most };
}

type AttemptOutput = SpoolOutput & AttemptView;

function toAttemptDocument(printed: AttemptOutput, redact: (text: string) => string) {
  const { key, role, instance, task, round, attempt, ts, continues } = printed.started;
  const toStreamDocument = (tail: OutputTail | undefined) =>
    tail ? { lines: tail.lines.map((line) => redact(formatLine(line))), bytes: tail.size, cut: tail.cut } : null;
  const about = {
    key,
    role,
    instance,
    task: task ?? "",
    round,
    attempt,
    ...(continues === undefined ? {} : { continues }),
    startedAt: ts,
    outcome: printed.finished?.outcome ?? "open",
  };
  return { ...about, stdout: toStreamDocument(printed.stdout), stderr: toStreamDocument(printed.stderr) };
}

function formatAttempt({ paint }: Call, printed: AttemptOutput): string[] {
  const { started, finished: end, stdout, stderr } = printed;
  const outcome = end
    ? `${end.outcome}${end.ms === undefined ? "" : ` after ${formatDuration(end.ms)}`}`
    : "running or interrupted";
  const again = started.continues === undefined ? "" : `, continues attempt ${started.attempt - 1}`;
  const head = `${toOneLine(started.key, 80)}  attempt ${started.attempt}${again}  ${paint.dim(outcome)}`;
  return [
    paint.bold("── ") + head,
    ...formatStream(paint.dim, "", stdout),
    ...formatStream(paint.dim, "stderr", stderr),
    "",
  ];
}
