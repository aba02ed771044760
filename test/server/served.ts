import { afterAll } from "vitest";
import { ask, type Reply } from "../../src/surfaces/server/ask.fixture.ts";
import type { Scene, Talk } from "../cli/scene.ts";

export type Doc = Readonly<Record<string, unknown>>;

/** Returns the value at a path of names and indexes in a document; undefined if there is none. */
export function at(doc: unknown, ...path: readonly (string | number)[]): unknown {
  // Any object can be indexed by name.
  return path.reduce((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], doc);
}

export type Served = {
  readonly port: number;
  readonly token: string;
  get(path: string): Promise<Doc>;
  post(
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply & { readonly json: Doc }>;
  /** Yields the lines of a stream. */
  lines(path: string, signal?: AbortSignal): AsyncGenerator<Doc>;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

const running: Talk[] = [];
afterAll(async () => {
  for (const talk of running) {
    talk.kill("SIGTERM");
    await talk.ended;
  }
});

/** Starts `signalbox ui` as the scene's user and opens its link. */
export async function served(scene: Scene, ...flags: readonly string[]): Promise<Served> {
  const talk = scene.start("ui", "--no-open", "--json", "--port", "0", ...flags);
  running.push(talk);
  const { port, url } = await talk.heard("ui");
  return browser(Number(port), String(url), async (signal = "SIGTERM") => {
    talk.kill(signal);
    await talk.ended;
  });
}

export async function browser(port: number, url: string, stop: Served["stop"]): Promise<Served> {
  const host = `127.0.0.1:${port}`;
  const asked = (method: string, path: string, more: { headers?: object; body?: string } = {}) =>
    ask({ port, method, path, ...more, headers: { host, ...more.headers } });
  const json = { "content-type": "application/json" };
  const code = new URL(url).hash.replace("#code=", "");
  const given = await asked("POST", "/api/session", { headers: json, body: JSON.stringify({ code }) });
  const { token } = JSON.parse(given.body) as { token: string };
  const authorization = `Bearer ${token}`;
  return {
    port,
    token,
    stop,
    async get(path) {
      const { status, body } = await asked("GET", path, { headers: { authorization } });
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
      return JSON.parse(body) as Doc;
    },
    async post(path, body = {}, headers = {}) {
      const reply = await asked("POST", path, {
        headers: { authorization, ...json, ...headers },
        body: JSON.stringify(body),
      });
      return { ...reply, json: JSON.parse(reply.body) as Doc };
    },
    async *lines(path, signal) {
      const reply = await fetch(`http://${host}${path}`, { headers: { authorization }, ...(signal ? { signal } : {}) });
      let held = "";
      for await (const chunk of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        held += chunk;
        const whole = held.split("\n");
        held = whole.pop() ?? "";
        for (const line of whole) yield JSON.parse(line) as Doc;
      }
    },
  };
}
