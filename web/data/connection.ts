import type { StreamMessage } from "../../src/surfaces/server/port/documents.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";
import { type LiveStatus, openStream, type Subscription } from "./stream.ts";

export type Connection = { readonly want: (wanted: Subscription) => void; readonly retry: () => void };

type ConnectionListener = {
  readonly message: (message: StreamMessage) => void;
  readonly status: (status: LiveStatus) => void;
};

export type Connect = (token: string, tell: ConnectionListener) => Connection;

/** Connects through a worker that all tabs share. Browsers without shared workers get one connection per tab. */
export function connect(token: string, tell: ConnectionListener): Connection {
  return typeof SharedWorker === "undefined" ? openStream(token, tell) : connectByWorker(token, tell);
}

function connectByWorker(token: string, tell: ConnectionListener): Connection {
  const worker = new SharedWorker(new URL("./worker.ts", import.meta.url), { type: "module", name: "signalbox" });
  const postToWorker = (said: ToWorker): void => worker.port.postMessage(said);
  let wanted: Subscription = { home: true, runs: {} };
  worker.port.onmessage = ({ data }: MessageEvent<FromWorker>) =>
    data.kind === "message" ? tell.message(data.message) : tell.status(data.status);
  worker.port.start();
  // A page in the back/forward cache must not be counted, and must reconnect when it is shown again.
  addEventListener("pagehide", () => postToWorker({ kind: "bye" }));
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) postToWorker({ kind: "want", token, wanted });
  });
  return {
    want: (next) => {
      wanted = next;
      postToWorker({ kind: "want", token, wanted });
    },
    retry: () => postToWorker({ kind: "retry" }),
  };
}
