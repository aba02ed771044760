import type { FromWorker, ToWorker } from "./protocol.ts";
import { type LiveStatus, openStream, type Stream, type Wanted } from "./stream.ts";

/** All tabs of one browser share this: one connection, whatever they look at. */
const tabs = new Map<MessagePort, Wanted>();
let open: { readonly token: string; readonly stream: Stream } | undefined;
let status: LiveStatus = { live: false, since: Date.now(), retryAt: null, refused: false };
let asked = "";

const send = (said: FromWorker): void => {
  for (const port of tabs.keys()) port.postMessage(said);
};

function streamOf(token: string): Stream {
  if (open?.token === token) return open.stream;
  open?.stream.close();
  asked = "";
  const stream = openStream(token, {
    message: (message) => send({ kind: "message", message }),
    status: (next) => {
      status = next;
      send({ kind: "status", status });
    },
  });
  open = { token, stream };
  return stream;
}

function want(port: MessagePort, token: string, wanted: Wanted): void {
  const before = tabs.get(port);
  tabs.set(port, wanted);
  const stream = streamOf(token);
  port.postMessage({ kind: "status", status } satisfies FromWorker);
  const all = together([...tabs.values()]);
  // A tab that looks at what is open already, from the same records on, needs no new connection.
  const key = JSON.stringify([all.home, Object.keys(all.runs).toSorted()]);
  const late = Object.keys(wanted.runs).some((run) => before?.runs[run] === undefined);
  if (key === asked && !late && !(wanted.home && !before?.home)) return;
  asked = key;
  stream.want(all);
}

function together(all: readonly Wanted[]): Wanted {
  const runs: Record<string, number> = {};
  for (const each of all)
    for (const [run, seq] of Object.entries(each.runs)) runs[run] = Math.min(runs[run] ?? seq, seq);
  return { home: all.some((each) => each.home), runs };
}

function hear(port: MessagePort, said: ToWorker): void {
  if (said.kind === "want") want(port, said.token, said.wanted);
  else if (said.kind === "retry") open?.stream.retry();
  else tabs.delete(port);
}

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  port.onmessage = ({ data }: MessageEvent<ToWorker>) => hear(port, data);
  port.start();
});
