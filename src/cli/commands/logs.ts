import { join } from "node:path";
import { SignalboxError } from "../../core/errors.ts";
import type { JournalRecord } from "../../core/record.ts";
import { cleanText, oneLine } from "../../surfaces/terminal/clean-text.ts";
import { duration } from "../../surfaces/terminal/duration.ts";
import type { Call } from "../call.ts";
import { followLogs } from "../follow-logs.ts";
import { type RunBook, withRun } from "../run-book.ts";
import { STREAMS, spoolOf, type Tail, tailOf } from "../spool-text.ts";

export type LogFlags = { readonly step?: string; readonly follow?: boolean; readonly lines?: string };

const LINES = 20;
type Started = JournalRecord<"agent.started">;

/** What the agents printed, attempt by attempt. */
export async function logs(call: Call, asked: string | undefined, flags: LogFlags): Promise<number> {
  const most = linesAsked(flags.lines);
  return withRun(call, asked, async (found) => {
    const meant = attemptsOf(found, flags.step);
    const follows = flags.follow === true && found.records.at(-1)?.type !== "run.finished";
    // Followed in JSON, every line is told in the same form: those of earlier too.
    if (call.json && follows) return followLogs(call, found, { told: [], step: flags.step ?? "" });
    const printed: Printed[] = [];
    for (const started of meant) printed.push({ started, ...(await spooled(found, started, most)) });
    tell(call, found, printed);
    return follows ? followLogs(call, found, { told: printed, step: flags.step ?? "" }) : 0;
  });
}

function tell(call: Call, { book, row, records }: RunBook, printed: readonly Printed[]): void {
  const { redact } = book.world;
  if (call.json) {
    call.emit({ v: 1, run: row.id, attempts: printed.map((each) => documentOf(records, each, redact)) });
    return;
  }
  if (printed.length === 0) call.print(`No agent of ${row.id} was started so far.`);
  for (const each of printed) for (const line of attemptLines(call, records, each)) call.print(redact(line));
}

function linesAsked(text: string | undefined): number {
  if (text === undefined) return LINES;
  if (text === "all") return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new SignalboxError("USAGE", `--lines ${text} is no number.`, "Write a number of lines per attempt, or `all`.");
}

function attemptsOf({ row, records }: RunBook, step: string | undefined): readonly Started[] {
  const started = records.filter((record) => record.type === "agent.started");
  if (step === undefined) return started;
  const meant = started.filter((record) => record.key.startsWith(step));
  if (meant.length > 0 || started.length === 0) return meant;
  const keys = [...new Set(started.map((record) => record.key))];
  throw new SignalboxError(
    "USAGE",
    `No agent of ${row.id} worked in a step that begins with "${step}".`,
    `Steps with agents: ${keys.slice(0, 8).join(", ")}${keys.length > 8 ? ` and ${keys.length - 8} more` : ""}.`,
  );
}

type Spooled = { readonly stdout: Tail | undefined; readonly stderr: Tail | undefined };

async function spooled({ book }: RunBook, started: Started, most: number): Promise<Spooled> {
  const spool = spoolOf(book, started);
  const [stdout, stderr] = await Promise.all(
    STREAMS.map((name) => tailOf({ file: join(spool, name), most, redact: book.world.redact })),
  );
  return { stdout, stderr };
}

type Printed = Spooled & { readonly started: Started };

function endOf(records: readonly JournalRecord[], { key, attempt }: Started) {
  return records.find(
    (record) => record.type === "agent.finished" && record.key === key && record.attempt === attempt,
  ) as JournalRecord<"agent.finished"> | undefined;
}

function documentOf(records: readonly JournalRecord[], printed: Printed, redact: (text: string) => string) {
  const { key, role, instance, task, round, attempt, ts, continues } = printed.started;
  const end = endOf(records, printed.started);
  const stream = (tail: Tail | undefined) =>
    tail ? { lines: tail.lines.map((line) => redact(lineText(line))), bytes: tail.size, cut: tail.cut } : null;
  const about = {
    key,
    role,
    instance,
    task: task ?? "",
    round,
    attempt,
    ...(continues === undefined ? {} : { continues }),
    startedAt: ts,
    outcome: end?.outcome ?? "open",
  };
  return { ...about, stdout: stream(printed.stdout), stderr: stream(printed.stderr) };
}

function attemptLines({ paint }: Call, records: readonly JournalRecord[], printed: Printed): string[] {
  const { started, stdout, stderr } = printed;
  const end = endOf(records, started);
  const outcome = end
    ? `${end.outcome}${end.ms === undefined ? "" : ` after ${duration(end.ms)}`}`
    : "at work, or cut off";
  const again = started.continues === undefined ? "" : `, goes on with ${started.attempt - 1}`;
  const head = `${oneLine(started.key, 80)}  attempt ${started.attempt}${again}  ${paint.dim(outcome)}`;
  return [
    paint.bold("── ") + head,
    ...streamLines(paint.dim, "", stdout),
    ...streamLines(paint.dim, "stderr", stderr),
    "",
  ];
}

function streamLines(dim: (text: string) => string, name: string, tail: Tail | undefined): string[] {
  if (!tail) return name === "" ? [dim("   nothing is kept of it")] : [];
  if (tail.size === 0) return name === "" ? [dim("   it printed nothing")] : [];
  const cut = tail.cut
    ? [dim(`   … the last ${tail.lines.length} lines of ${tail.size} bytes; --lines all shows more`)]
    : [];
  return [...(name === "" ? [] : [dim(`   ${name}`)]), ...cut, ...tail.lines.map((line) => `   ${lineText(line)}`)];
}

const LETTERS = 2_000;

/** Some agents print everything they did on one line. */
function lineText(line: string): string {
  // Separators that no terminal shows, and some readers of lines break at.
  const clean = cleanText(line).replaceAll(/[\u2028\u2029]/g, " ");
  return clean.length > LETTERS ? `${clean.slice(0, LETTERS)}… (${clean.length} characters)` : clean;
}
