import type { StreamMessage } from "../../src/surfaces/server/port/answers.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";
import { type LiveStatus, openStream, type Wanted } from "./stream.ts";

export type Connection = { readonly want: (wanted: Wanted) => void; readonly retry: () => void };

type Tell = {
  readonly message: (message: StreamMessage) => void;
  readonly status: (status: LiveStatus) => void;
};

export type Connect = (token: string, tell: Tell) => Connection;

/** By the worker that all tabs share; a browser without one gets a connection per tab. */
export function connect(token: string, tell: Tell): Connection {
  return typeof SharedWorker === "undefined" ? openStream(token, tell) : byWorker(token, tell);
}

function byWorker(token: string, tell: Tell): Connection {
  const worker = new SharedWorker(new URL("./worker.ts", import.meta.url), { type: "module", name: "signalbox" });
  const say = (said: ToWorker): void => worker.port.postMessage(said);
  let wanted: Wanted = { home: true, runs: {} };
  worker.port.onmessage = ({ data }: MessageEvent<FromWorker>) =>
    data.kind === "message" ? tell.message(data.message) : tell.status(data.status);
  worker.port.start();
  // A page that the browser keeps for "back" must neither be counted nor come back deaf.
  addEventListener("pagehide", () => say({ kind: "bye" }));
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) say({ kind: "want", token, wanted });
  });
  return {
    want: (next) => {
      wanted = next;
      say({ kind: "want", token, wanted });
    },
    retry: () => say({ kind: "retry" }),
  };
}
