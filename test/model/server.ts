import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { anthropicApi } from "./anthropic.ts";
import { chatApi } from "./chat.ts";
import { geminiApi } from "./gemini.ts";
import { type ModelRequest, type Play, type Reply, replyTo, type WireApi } from "./play.ts";
import { responsesApi } from "./responses.ts";

/** A local model that plays scripts to real agent programs, without key, network or randomness. */
export type ModelServer = {
  /** Registers a script and returns the base URL that serves exactly this script, through every API. */
  play(name: string, ...plays: readonly [Play, ...Play[]]): string;
  /** Does the same with a script that reads each request before it chooses a play. */
  answer(name: string, decide: (asked: ModelRequest) => Play): string;
  /** All requests to the script so far. */
  requests(name: string): readonly ModelRequest[];
  /** Resolves once the script has received this many requests. */
  asked(name: string, count: number): Promise<void>;
  close(): Promise<void>;
};

const APIS: readonly WireApi[] = [responsesApi(), anthropicApi(), chatApi(), geminiApi()];

export async function modelServer(): Promise<ModelServer> {
  const scripts = new Map<string, Script>();
  const server = createServer((request, response) => {
    answer({ request, response, scripts }).catch((cause: unknown) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: String(cause) } }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  // A TCP server has an address object; only pipes have a string.
  const { port } = server.address() as AddressInfo;
  const answerWith: ModelServer["answer"] = (name, decide) => {
    scripts.set(name, { decide, seen: [], waiting: [] });
    return `http://127.0.0.1:${port}/${encodeURIComponent(name)}/v1`;
  };
  return {
    play: (name, ...plays) => answerWith(name, takeTurns(plays)),
    answer: answerWith,
    requests: (name) => scripts.get(name)?.seen ?? [],
    asked: (name, count) =>
      new Promise((enough) => {
        const script = scripts.get(name);
        if (!script || script.seen.length >= count) return enough();
        script.waiting.push({ count, enough });
      }),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        // Hanging plays never end on their own.
        server.closeAllConnections();
      }),
  };
}

function takeTurns(plays: readonly [Play, ...Play[]]): (asked: ModelRequest) => Play {
  let next = 0;
  return () => {
    next += 1;
    return plays[Math.min(next, plays.length) - 1] ?? plays[0];
  };
}

type Script = {
  readonly decide: (asked: ModelRequest) => Play;
  readonly seen: ModelRequest[];
  waiting: { readonly count: number; readonly enough: () => void }[];
};

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly scripts: ReadonlyMap<string, Script>;
};

async function answer({ request, response, scripts }: Exchange): Promise<void> {
  const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
  const script = scripts.get(decodeURIComponent(path.split("/")[1] ?? ""));
  if (!script) return send(response, 404, { error: { message: "there is no such script" } });
  if (request.method === "POST" && COUNTS.some((end) => path.endsWith(end))) return send(response, 200, COUNTED);
  if (request.method === "GET" && path.endsWith("/models")) return send(response, 200, MODELS);
  const api = APIS.find(({ endpoints }) => request.method === "POST" && endpoints.some((end) => path.endsWith(end)));
  if (!api) return send(response, 404, { error: { message: `nobody answers ${request.method} ${path}` } });
  const asked = api.read(await json(request), path);
  // Side calls (titles, summaries) offer no tools and must not use up a play.
  if (asked.tools.length === 0) return reply(response, { api, asked, said: { say: "ok" } });
  note(script, asked);
  const play = script.decide(asked);
  if ("hang" in play) return;
  if ("http" in play) return refuse(response, api, play);
  if ("cut" in play) return cut(response, api);
  reply(response, { api, asked, said: replyTo(play, asked) });
}

const COUNTS = ["/messages/count_tokens", ":countTokens"];
const COUNTED = { input_tokens: 100, totalTokens: 100 };
const MODELS = { object: "list", data: [{ id: "scripted", object: "model", created: 1, owned_by: "scripted" }] };

function note(script: Script, asked: ModelRequest): void {
  script.seen.push(asked);
  for (const { count, enough } of script.waiting) if (script.seen.length >= count) enough();
  script.waiting = script.waiting.filter(({ count }) => script.seen.length < count);
}

type Answer = { readonly api: WireApi; readonly asked: ModelRequest; readonly said: Reply };

function reply(response: ServerResponse, { api, asked, said }: Answer): void {
  if (asked.stream) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.end(api.frames(said).join(""));
  } else {
    send(response, 200, api.whole(said));
  }
}

function refuse(response: ServerResponse, api: WireApi, play: Extract<Play, { http: number }>): void {
  for (const [name, value] of Object.entries(play.headers ?? {})) response.setHeader(name, value);
  send(response, play.http, api.refusal(play.http, play.message ?? `the script says ${play.http}`));
}

/** Sends the first event before it closes the connection, so that the client is in the middle of a reply. */
function cut(response: ServerResponse, api: WireApi): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(api.frames({ say: "never finished" })[0] ?? "", () => response.destroy());
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
