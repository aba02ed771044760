import { join } from "node:path";
import type { JournalRecord } from "../../core/journal/record.ts";
import { createTranscript, type Transcript } from "../../drivers/transcript.ts";
import { cleanText, toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Call } from "../call.ts";
import type { ViewedRun } from "../runs/with-run.ts";
import { type OutputTail, readAddedLines, resolveSpool, STREAMS } from "./spool-text.ts";

/** Short enough to feel live, long enough to cost nothing. */
const POLL_MS = 200;

type AgentStart = JournalRecord<"agent.started">;
type AttemptTails = {
  readonly started: AgentStart;
  readonly stdout: OutputTail | undefined;
  readonly stderr: OutputTail | undefined;
};
type WatchedAttempt = {
  readonly started: AgentStart;
  readonly at: Map<string, number>;
  /** Undefined: print lines as they are. */
  readonly transcript: Transcript | undefined;
};

/** Prints the output of attempts as it grows, until the run ends or is suspended or the reader leaves. */
export async function followLogs(
  call: Call,
  { store, row, view }: ViewedRun,
  { told, step, raw }: { readonly told: readonly AttemptTails[]; readonly step: string; readonly raw: boolean },
): Promise<number> {
  const left = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => left.abort());
  process.stdout.once("error", () => left.abort());
  const watched = new Map<string, WatchedAttempt>();
  const watch = (started: AgentStart, at = new Map<string, number>()) => {
    const transcript = raw ? undefined : createTranscript({ begun: at.size > 0 });
    watched.set(started.effect, { started, at, transcript });
  };
  for (const { started, stdout, stderr } of told) {
    watch(
      started,
      new Map([
        ["stdout", stdout?.size ?? 0],
        ["stderr", stderr?.size ?? 0],
      ]),
    );
  }
  const last = { effect: told.at(-1)?.started.effect ?? "" };
  const printAdded = async (): Promise<void> => {
    await store.team?.bring(row.id);
    for (const each of watched.values()) await printAddedLines(call, store, { ...each, last });
  };
  const ended = (async () => {
    const after = call.json ? 0 : view.head.seq;
    for await (const record of store.host.journal.follow(row.id, after, left.signal)) {
      if (record.type === "agent.started" && record.key.startsWith(step)) watch(record);
      const over = record.type === "run.finished" || record.type === "run.suspended";
      // A journal read from its start contains old suspensions, which are skipped.
      if (over && record.seq > view.head.seq) break;
    }
    left.abort();
  })();
  while (!left.signal.aborted) {
    await printAdded();
    await store.world.sleep(POLL_MS, left.signal);
  }
  await ended;
  await printAdded();
  return 0;
}

type OutputCursor = WatchedAttempt & { readonly last: { effect: string } };

async function printAddedLines(call: Call, book: ViewedRun["store"], cursor: OutputCursor): Promise<void> {
  const { started, at, last, transcript } = cursor;
  const { key, attempt, run, effect } = started;
  for (const stream of STREAMS) {
    const file = join(resolveSpool(book, started), stream);
    const { lines, next } = await readAddedLines({ file, from: at.get(stream) ?? 0, redact: book.world.redact });
    at.set(stream, next);
    const shown = stream === "stdout" && transcript ? lines.flatMap((line) => transcript.lines(line)) : lines;
    for (const each of shown) {
      const line = cleanText(each);
      if (call.json) call.emit({ v: 1, run, key, attempt, stream, line });
      else {
        if (last.effect !== effect) call.print(`${call.paint.bold("── ")}${toOneLine(key, 80)}  attempt ${attempt}`);
        last.effect = effect;
        call.print(`   ${line}`);
      }
    }
  }
}
