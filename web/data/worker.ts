import type { FromWorker, ToWorker } from "./protocol.ts";
import { type LiveStatus, openStream, type Stream, type Subscription } from "./stream.ts";

/** Subscriptions of all tabs of one browser, which share one connection. */
const tabs = new Map<MessagePort, Subscription>();
let open: { readonly token: string; readonly stream: Stream } | undefined;
let status: LiveStatus = { live: false, since: Date.now(), retryAt: null, refused: false };
let openedKey = "";

const broadcast = (said: FromWorker): void => {
  for (const port of tabs.keys()) port.postMessage(said);
};

function getStream(token: string): Stream {
  if (open?.token === token) return open.stream;
  open?.stream.close();
  openedKey = "";
  const stream = openStream(token, {
    message: (message) => broadcast({ kind: "message", message }),
    status: (next) => {
      status = next;
      broadcast({ kind: "status", status });
    },
  });
  open = { token, stream };
  return stream;
}

function updateSubscription(port: MessagePort, token: string, wanted: Subscription): void {
  const before = tabs.get(port);
  tabs.set(port, wanted);
  const stream = getStream(token);
  port.postMessage({ kind: "status", status } satisfies FromWorker);
  const all = mergeSubscriptions([...tabs.values()]);
  // A tab that displays what is already streamed, from the same records, needs no new connection.
  const key = JSON.stringify([all.home, Object.keys(all.runs).toSorted()]);
  const late = Object.keys(wanted.runs).some((run) => before?.runs[run] === undefined);
  if (key === openedKey && !late && !(wanted.home && !before?.home)) return;
  openedKey = key;
  stream.want(all);
}

function mergeSubscriptions(all: readonly Subscription[]): Subscription {
  const runs: Record<string, number> = {};
  for (const each of all)
    for (const [run, seq] of Object.entries(each.runs)) runs[run] = Math.min(runs[run] ?? seq, seq);
  return { home: all.some((each) => each.home), runs };
}

function handleMessage(port: MessagePort, said: ToWorker): void {
  if (said.kind === "want") updateSubscription(port, said.token, said.wanted);
  else if (said.kind === "retry") open?.stream.retry();
  else tabs.delete(port);
}

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  port.onmessage = ({ data }: MessageEvent<ToWorker>) => handleMessage(port, data);
  port.start();
});
