import type { PageChange } from "../../views/page/page.ts";
import { createBell } from "./bell.ts";
import { errorAnswer } from "./error-answer.ts";
import type { ServerPort } from "./port/port.ts";
import { forBrowser } from "./register.ts";

/** At most four changes of one run in a second, however much happens. */
const PAUSE_MS = 250;
const BEAT_MS = 5_000;
const HOME = "home";

export type StreamOrder = {
  /** Each run with the last record that the reader has. */
  readonly runs: ReadonlyMap<string, number>;
  readonly home: boolean;
};

/**
 * One line after the other, each made when the reader has taken the one before: who reads slowly gets fewer and larger
 * changes, and no line waits in memory but the one on its way.
 */
export function streamOf(port: ServerPort, order: StreamOrder, left: AbortController): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder();
  const lines = linesOf(port, order, left.signal);
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(bytes.encode(`${forBrowser(port, value)}\n`));
      },
      cancel() {
        left.abort();
        // Who leaves with a line in hand never asks for the next: what it watched is let go here.
        void lines.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* linesOf(port: ServerPort, order: StreamOrder, signal: AbortSignal): AsyncGenerator<unknown> {
  const bell = createBell(signal);
  const runs = new Map([...order.runs].map(([run, seq]) => [run, createReader(port, run, seq)]));
  const stops = [
    ...[...runs.keys()].map((run) => port.runs.watch(run, () => bell.ring(run))),
    ...(order.home ? [port.watchHome(() => bell.ring(HOME))] : []),
  ];
  const ringAll = (): void => {
    for (const run of runs.keys()) bell.ring(run);
  };
  let beatAt = port.now() + BEAT_MS;
  try {
    // Whoever comes back begins with what he has missed.
    ringAll();
    if (order.home) bell.ring(HOME);
    while (!signal.aborted) {
      const name = bell.due(port.now(), PAUSE_MS);
      const line = name === undefined ? undefined : await lineFor(port, name, runs);
      if (line !== undefined) yield line;
      else if (port.now() >= beatAt) {
        beatAt = port.now() + BEAT_MS;
        // Whether an engine still lives stands in no record.
        ringAll();
        yield { type: "beat", now: port.now() };
      } else if (name === undefined) await bell.wait(port.now(), PAUSE_MS, beatAt - port.now());
    }
  } finally {
    for (const stop of stops) stop();
  }
}

type Reader = () => Promise<PageChange | undefined>;

async function lineFor(port: ServerPort, name: string, runs: Map<string, Reader>): Promise<unknown> {
  if (name === HOME) return { type: "home", home: await port.home() };
  try {
    const change = await runs.get(name)?.();
    return change && { type: "page", change };
  } catch (error) {
    // One run whose repository is gone must not end what is told of the others.
    runs.delete(name);
    return { type: "gone", run: name, ...errorAnswer(error).body };
  }
}

/** Gives what has changed since it was last asked. */
function createReader(port: ServerPort, run: string, seq: number): Reader {
  let last = seq;
  let head: string | undefined;
  return async () => {
    const change = await port.runs.changes(run, last);
    const now = JSON.stringify(change.page.head);
    if (change.page.seq === last && now === head) return undefined;
    [last, head] = [change.page.seq, now];
    return change;
  };
}
