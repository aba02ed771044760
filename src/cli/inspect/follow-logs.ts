import { join } from "node:path";
import type { JournalRecord } from "../core/record.ts";
import { cleanText, oneLine } from "../surfaces/terminal/clean-text.ts";
import type { Call } from "./call.ts";
import type { RunBook } from "./run-book.ts";
import { addedLines, STREAMS, spoolOf, type Tail } from "./spool-text.ts";

/** Often enough to be watched, rare enough to cost nothing. */
const LOOK_MS = 200;

type Started = JournalRecord<"agent.started">;
type Told = { readonly started: Started; readonly stdout: Tail | undefined; readonly stderr: Tail | undefined };
type Watched = { readonly started: Started; readonly at: Map<string, number> };

/** Goes on with what attempts print until the run ends or suspends, or the reader leaves. */
export async function followLogs(
  call: Call,
  { book, row, records }: RunBook,
  { told, step }: { readonly told: readonly Told[]; readonly step: string },
): Promise<number> {
  const left = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => left.abort());
  process.stdout.once("error", () => left.abort());
  const watched = new Map<string, Watched>();
  const watch = (started: Started, at = new Map<string, number>()) => watched.set(started.effect, { started, at });
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
  const look = async (): Promise<void> => {
    for (const each of watched.values()) await tellAdded(call, book, { ...each, last });
  };
  const ended = (async () => {
    const after = call.json ? 0 : (records.at(-1)?.seq ?? 0);
    for await (const record of book.host.journal.follow(row.id, after, left.signal)) {
      if (record.type === "agent.started" && record.key.startsWith(step)) watch(record);
      const over = record.type === "run.finished" || record.type === "run.suspended";
      // A journal that is read from its beginning holds suspensions that are long over.
      if (over && record.seq > (records.at(-1)?.seq ?? 0)) break;
    }
    left.abort();
  })();
  while (!left.signal.aborted) {
    await look();
    await book.world.sleep(LOOK_MS, left.signal);
  }
  await ended;
  await look();
  return 0;
}

type Telling = Watched & { readonly last: { effect: string } };

async function tellAdded(call: Call, book: RunBook["book"], { started, at, last }: Telling): Promise<void> {
  const { key, attempt, run, effect } = started;
  for (const stream of STREAMS) {
    const file = join(spoolOf(book, started), stream);
    const { lines, next } = await addedLines({ file, from: at.get(stream) ?? 0, redact: book.world.redact });
    at.set(stream, next);
    for (const raw of lines) {
      const line = cleanText(raw);
      if (call.json) call.emit({ v: 1, run, key, attempt, stream, line });
      else {
        if (last.effect !== effect) call.print(`${call.paint.bold("── ")}${oneLine(key, 80)}  attempt ${attempt}`);
        last.effect = effect;
        call.print(`   ${line}`);
      }
    }
  }
}
