import type { PageChange } from "../../views/page/page.ts";
import { createChangeQueue } from "./change-queue.ts";
import { toErrorResponse } from "./error-response.ts";
import type { ServerPort } from "./port/port.ts";
import { serializeForBrowser } from "./register-routes.ts";

/** Sends at most four changes of one run per second. */
const PAUSE_MS = 250;
const BEAT_MS = 5_000;
const HOME = "home";

export type StreamOrder = {
  /** Each run with the last record that the reader has. */
  readonly runs: ReadonlyMap<string, number>;
  readonly home: boolean;
};

/**
 * Opens a stream that builds each line when the reader has taken the previous one. A slow reader gets fewer and larger
 * changes, and at most one line is in memory.
 */
export function openChangeStream(
  port: ServerPort,
  order: StreamOrder,
  left: AbortController,
): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder();
  const lines = generateLines(port, order, left.signal);
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(bytes.encode(`${serializeForBrowser(port, value)}\n`));
      },
      cancel() {
        left.abort();
        // A reader that leaves after a line never requests the next one, so its watchers are released here.
        void lines.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* generateLines(port: ServerPort, order: StreamOrder, signal: AbortSignal): AsyncGenerator<unknown> {
  const changes = createChangeQueue(signal);
  const runs = new Map([...order.runs].map(([run, seq]) => [run, createReader(port, run, seq)]));
  const stops = [
    ...[...runs.keys()].map((run) => port.runs.watch(run, () => changes.add(run))),
    ...(order.home ? [port.watchHome(() => changes.add(HOME))] : []),
  ];
  const addAllRuns = (): void => {
    for (const run of runs.keys()) changes.add(run);
  };
  let beatAt = port.now() + BEAT_MS;
  try {
    // A reader that reconnects first gets what it missed.
    addAllRuns();
    if (order.home) changes.add(HOME);
    while (!signal.aborted) {
      const name = changes.takeDue(port.now(), PAUSE_MS);
      const line = name === undefined ? undefined : await buildLine(port, name, runs);
      if (line !== undefined) yield line;
      else if (port.now() >= beatAt) {
        beatAt = port.now() + BEAT_MS;
        // No record tells whether an engine is alive, so all runs are checked again.
        addAllRuns();
        yield { type: "beat", now: port.now() };
      } else if (name === undefined) await changes.wait(port.now(), PAUSE_MS, beatAt - port.now());
    }
  } finally {
    for (const stop of stops) stop();
  }
}

type ChangeReader = () => Promise<PageChange | undefined>;

async function buildLine(port: ServerPort, name: string, runs: Map<string, ChangeReader>): Promise<unknown> {
  if (name === HOME) return { type: "home", home: await port.home() };
  try {
    const change = await runs.get(name)?.();
    return change && { type: "page", change };
  } catch (error) {
    // If the repository of one run is gone, the stream continues for the others.
    runs.delete(name);
    return { type: "gone", run: name, ...toErrorResponse(error).body };
  }
}

/** Returns a function that reads what changed since its previous call. */
function createReader(port: ServerPort, run: string, seq: number): ChangeReader {
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
