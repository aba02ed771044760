import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Asking, ask, type Reply } from "./ask.fixture.ts";
import { type ListeningServer, listen } from "./listen.ts";
import { createStage, SECRET, stagePort } from "./port/port.fixture.ts";
import { ROUTES } from "./routes/table.ts";
import { createSession } from "./session.ts";

const TOKEN = "t".repeat(43);
const stage = createStage();
const port = stagePort(stage);
const session = createSession({ token: TOKEN, now: () => 0 });
let server: ListeningServer;
let web = "";

beforeAll(async () => {
  web = await mkdtemp(join(tmpdir(), "signalbox-web-"));
  await writeFile(join(web, "index.html"), "<!doctype html><title>Signalbox</title>");
  await writeFile(join(web, "app.js"), "export {};\n");
  const found = await listen({ port, session, web, ports: [0] });
  if (!found) throw new Error("no port is free");
  server = found;
});
afterAll(async () => {
  await server.close();
  await rm(web, { recursive: true });
});

/** One valid request per route. A route without one fails the first test. */
const SAMPLES: Readonly<Record<string, { readonly path?: string; readonly body?: unknown }>> = {
  "POST /api/session": { body: { code: "no-such-code" } },
  "POST /api/session/code": {},
  "GET /api/home": {},
  "GET /api/stream": { path: "/api/stream?run=r-1:0" },
  "GET /api/pipelines": { path: "/api/pipelines?repository=abc" },
  "POST /api/sql": { body: { repository: "abc", query: "SELECT 1" } },
  "GET /api/openapi.json": {},
  "GET /api/runs/:run": {},
  "GET /api/runs/:run/changes": {},
  "GET /api/runs/:run/events": {},
  "GET /api/runs/:run/transcript": { path: "/api/runs/r-1/transcript?effect=r-1%2F1%401" },
  "GET /api/runs/:run/prompt": { path: "/api/runs/r-1/prompt?effect=r-1%2F1%401" },
  "GET /api/runs/:run/contract": { path: "/api/runs/r-1/contract?key=1&attempt=1" },
  "GET /api/runs/:run/output": { path: "/api/runs/r-1/output?seq=3" },
  "GET /api/runs/:run/diff": {},
  "GET /api/runs/:run/gates": { path: "/api/runs/r-1/gates?key=1" },
  "GET /api/runs/:run/cost": {},
  "GET /api/questions": {},
  "GET /api/questions/:id": {},
  "POST /api/questions/:id/answer": { body: { choice: "keep", hash: "h" } },
  "POST /api/runs": { body: { repository: "abc", pipeline: "task" } },
  "POST /api/runs/:run/resume": {},
  "POST /api/runs/:run/cancel": { body: { note: "enough" } },
  "POST /api/runs/:run/pause": {},
  "POST /api/runs/:run/stop": { body: { effect: "r-1/1@1" } },
  "POST /api/runs/:run/land": {},
  "POST /api/runs/:run/revert": {},
  "POST /api/runs/:run/fork": { body: { phase: "2" } },
};

/** A hundred thousand levels: nested values, and brackets that are never closed. */
const DEEP = [`{"code":${'{"a":'.repeat(100_000)}1${"}".repeat(100_001)}`, `{"code":${"[".repeat(100_000)}`];

const TABLE = ROUTES.map(({ method, path, open }) => {
  const sample = SAMPLES[`${method} ${path}`];
  const filled = sample?.path ?? path.replace(":run", "r-1").replace(":id", "q-1");
  const body = method === "POST" ? JSON.stringify(sample?.body ?? {}) : undefined;
  return { name: `${method} ${path}`, method, path: filled, open, body, known: sample !== undefined };
});
type Row = (typeof TABLE)[number];

const host = () => `127.0.0.1:${server.port}`;

/** Headers as the dashboard sends them, with changes by a test. An empty text omits a header. */
function asked(row: Row, changed: Readonly<Record<string, string>> = {}, more: Partial<Asking> = {}): Promise<Reply> {
  const all: Record<string, string> = {
    host: host(),
    authorization: `Bearer ${TOKEN}`,
    ...(row.body === undefined ? {} : { "content-type": "application/json" }),
    ...changed,
  };
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
  const { method, path, body } = row;
  const firstLine = path.startsWith("/api/stream");
  return ask({ port: server.port, method, path, headers, firstLine, ...(body === undefined ? {} : { body }), ...more });
}

const codeOf = (reply: Reply): unknown => JSON.parse(reply.body).error?.code;

describe.each(TABLE)("$name", (row) => {
  const wants = row.open ? 401 : 200;

  test("has a valid request, which a client with the token may send", async () => {
    expect(row.known).toBe(true);
    const { status, body } = await asked(row);
    expect(status, body).toBe(wants);
  });

  test("refuses every host name but its own with 421, before other checks", async () => {
    const names = ["evil.test", `evil.test:${server.port}`, "127.0.0.1", `127.0.0.1:${server.port + 1}`];
    const more = [`127.0.0.1.evil.test:${server.port}`, `localhost.:${server.port}`, `0.0.0.0:${server.port}`];
    for (const name of [...names, ...more]) {
      const reply = await asked(row, { host: name, authorization: "", origin: "http://evil.test" });
      expect([name, reply.status, codeOf(reply)]).toEqual([name, 421, "WRONG_HOST"]);
    }
    for (const name of [`localhost:${server.port}`, `[::1]:${server.port}`]) {
      expect((await asked(row, { host: name })).status).toBe(wants);
    }
  });

  test("refuses another origin with 403, before checking the token", async () => {
    const origins = ["http://evil.test", "null", `http://127.0.0.1:${server.port + 1}`, `https://${host()}`];
    for (const origin of origins) {
      const reply = await asked(row, { origin, authorization: "" });
      expect([origin, reply.status, codeOf(reply)]).toEqual([origin, 403, "WRONG_ORIGIN"]);
    }
    for (const site of ["cross-site", "same-site"]) {
      expect((await asked(row, { "sec-fetch-site": site })).status).toBe(403);
    }
    expect((await asked(row, { origin: `http://${host()}`, "sec-fetch-site": "same-origin" })).status).toBe(wants);
  });

  if (!row.open)
    test("refuses a missing or wrong token, also one in the URL", async () => {
      const without = await asked(row, { authorization: "" });
      expect([without.status, codeOf(without)]).toEqual([401, "TOKEN_MISSING"]);
      const path = `${row.path}${row.path.includes("?") ? "&" : "?"}token=${TOKEN}&access_token=${TOKEN}`;
      expect((await asked(row, { authorization: "" }, { path })).status).toBe(401);
      expect((await asked(row, { authorization: "", cookie: `token=${TOKEN}` })).status).toBe(401);
      for (const wrong of [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, TOKEN, "Bearer "]) {
        const reply = await asked(row, { authorization: wrong });
        expect([401, 429]).toContain(reply.status);
        expect(reply.body).not.toContain(TOKEN);
      }
      // Wrong guesses of others do not lock out a client with the token.
      expect((await asked(row)).status).toBe(200);
    });

  test("refuses other methods, and grants no other site access", async () => {
    for (const method of ["PUT", "DELETE", "PATCH", "HEAD", row.method === "GET" ? "POST" : "GET"]) {
      const shared = TABLE.some((each) => each.method === method && each.path.split("?")[0] === row.path.split("?")[0]);
      if (!shared) expect([method, (await asked(row, {}, { method })).status]).toEqual([method, 405]);
    }
    const preflight = { origin: "http://evil.test", "access-control-request-method": "POST", authorization: "" };
    const reply = await asked(row, preflight, { method: "OPTIONS" });
    expect(reply.status).toBe(403);
    const own = await asked(row, { origin: `http://${host()}` });
    const heads = [...Object.keys(reply.headers), ...Object.keys(own.headers)];
    expect(heads.filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(heads).not.toContain("set-cookie");
  });

  if (row.body !== undefined)
    test("accepts only JSON, within limits", async () => {
      for (const type of ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
        expect([type, (await asked(row, { "content-type": type })).status]).toEqual([type, 415]);
      }
      for (const body of ["[]", "1", '"x"', "{", "null"]) {
        expect([body, (await asked(row, {}, { body })).status]).toEqual([body, 400]);
      }
      expect((await asked(row, {}, { body: JSON.stringify({ "no such name": 1 }) })).status).toBe(400);
      for (const body of DEEP) {
        const reply = await asked(row, { "idempotency-key": "deep" }, { body });
        expect([reply.status, codeOf(reply)]).toEqual([400, "REQUEST_INVALID"]);
      }
      expect(port.failures).toEqual([]);
      const large = await asked(row, {}, { body: JSON.stringify({ note: "x".repeat(1024 * 1024) }) });
      expect([large.status, codeOf(large)]).toEqual([413, "TOO_LARGE"]);
    });

  test("refuses protocol upgrades", async () => {
    const upgrade = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-key": "x",
      "sec-websocket-version": "13",
    };
    const reply = await asked(row, upgrade);
    expect([reply.status, codeOf(reply)]).toEqual([400, "NO_UPGRADE"]);
  });

  test("sends hostile text as JSON that no browser renders as a page, and no secrets", async () => {
    for (const reply of [await asked(row), await asked(row, { authorization: "" })]) {
      expect(reply.headers["content-type"]).toMatch(/^application\/(json|x-ndjson); charset=utf-8$/);
      expect(reply.headers).toMatchObject({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
      const policy = String(reply.headers["content-security-policy"]);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(reply.body).not.toContain(SECRET);
      // Bidirectional control characters are named and never sent, not even escaped.
      expect(reply.body).not.toMatch(/\u202e|\\u202e/i);
    }
  });
});

describe("the server", () => {
  test("executes nothing for a refused request", async () => {
    port.done.length = 0;
    for (const row of TABLE) {
      await asked(row, { host: "evil.test" });
      await asked(row, { origin: "http://evil.test" });
      if (!row.open) await asked(row, { authorization: "" });
      await asked(row, { "content-type": "text/plain" }, { method: "POST" });
    }
    expect(port.done).toEqual([]);
  });

  test("returns 401 below /api without a token, and 404 with one", async () => {
    const nowhere: Row = { name: "", method: "GET", path: "/api/nothing", open: false, body: undefined, known: true };
    expect((await asked(nowhere, { authorization: "" })).status).toBe(401);
    expect((await asked(nowhere)).status).toBe(404);
    expect((await asked({ ...nowhere, path: "/api" })).status).toBe(404);
    expect((await asked({ ...nowhere, path: "/%61pi/home" }, { authorization: "" })).status).not.toBe(200);
    expect((await asked({ ...nowhere, path: "//api/home" }, { authorization: "" })).body).not.toContain("repositories");
  });

  test("serves its page under its own names only, with all security headers", async () => {
    const page: Row = { name: "", method: "GET", path: "/runs/r-1", open: true, body: undefined, known: true };
    const reply = await asked(page, { authorization: "" });
    expect(reply.status).toBe(200);
    expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(reply.headers["content-security-policy"]).toMatch(/^default-src 'none'; /);
    expect(reply.headers["x-content-type-options"]).toBe("nosniff");
    expect((await asked(page, { host: "evil.test" })).status).toBe(421);
    expect((await asked(page, { origin: "http://evil.test" })).status).toBe(403);
    expect((await asked(page, {}, { method: "POST" })).status).toBe(405);
    // Any page may link to it, because it contains no data.
    expect((await asked(page, { "sec-fetch-site": "cross-site", authorization: "" })).status).toBe(200);
  });

  test.each([
    "/../package.json",
    "/..%2fpackage.json",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/../../etc/passwd",
    "/assets/%00",
    "/....//etc/passwd",
    "/\\..\\package.json",
    "/app.js/../../x",
    "//etc/passwd",
    "/.git/config",
  ])("gives no file for %s that is not the dashboard's", async (path) => {
    const row: Row = { name: "", method: "GET", path, open: true, body: undefined, known: true };
    const { status, body } = await asked(row);
    expect([200, 400, 404]).toContain(status);
    if (status === 200) expect(body).toBe("<!doctype html><title>Signalbox</title>");
  });

  test("refuses a request line that names another host, and requests without a host", async () => {
    const lines = (first: string, name: string) => `${first}\r\n${name}Authorization: Bearer ${TOKEN}\r\n\r\n`;
    const own = `Host: ${host()}\r\n`;
    expect(await spoken(lines("GET http://evil.test/api/home HTTP/1.1", `Connection: close\r\n${own}`))).toMatch(
      / 421 /,
    );
    expect(await spoken(lines("GET /api/home HTTP/1.0", ""))).toMatch(/ 4\d\d /);
    expect(await spoken(lines("GET /api/home HTTP/1.1", "Connection: close\r\n"))).toMatch(/ 400 /);
    expect(await spoken(lines("CONNECT evil.test:80 HTTP/1.1", own))).not.toMatch(/ 200 /);
  });

  test("exchanges a code for the token once, whatever idempotency key the request has", async () => {
    const row = TABLE.find(({ name }) => name === "POST /api/session");
    if (!row) throw new Error("there is no such route");
    const body = JSON.stringify({ code: session.newCode() });
    const first = await asked(row, { "idempotency-key": "k", authorization: "" }, { body });
    expect(JSON.parse(first.body)).toEqual({ token: TOKEN });
    const again = await asked(row, { "idempotency-key": "k", authorization: "" }, { body });
    expect([401, 429]).toContain(again.status);
    expect(again.body).not.toContain(TOKEN);
  });

  test("ignores brackets inside strings", async () => {
    const row = TABLE.find(({ name }) => name === "POST /api/sql");
    if (!row) throw new Error("there is no such route");
    const body = JSON.stringify({ repository: "abc", query: `SELECT '${"[".repeat(200)}\\"{'` });
    expect((await asked(row, {}, { body })).status).toBe(200);
  });

  test("survives clients that disconnect during a request", async () => {
    const first = ["POST /api/sql HTTP/1.1", `Host: ${host()}`, `Authorization: Bearer ${TOKEN}`];
    const heads = [...first, "Content-Type: application/json", "Expect: 100-continue"];
    await left([...heads, "Content-Length: 500", "", '{"a":'].join("\r\n"));
    await left([...heads, "Transfer-Encoding: chunked", "", '5\r\n{"a":'].join("\r\n"));
    const home = TABLE.find(({ name }) => name === "GET /api/home");
    if (!home) throw new Error("there is no such route");
    expect((await asked(home)).status).toBe(200);
    expect(port.failures).toEqual([]);
  });

  test("releases the slot of a stream whose reader left, a hundred times in a row", async () => {
    const row = TABLE.find(({ path }) => path.startsWith("/api/stream"));
    if (!row) throw new Error("there is no stream");
    for (let n = 0; n < 100; n++) expect((await asked(row)).status).toBe(200);
  });

  test("listens on the loopback address only", async () => {
    const other = await new Promise<string>((resolve) => {
      const socket = connect({ port: server.port, host: "127.0.0.2" });
      socket.on("connect", () => resolve("connected"));
      socket.on("error", () => resolve("refused"));
    });
    expect(other).toBe("refused");
  });
});

/** Sends this much, and hangs up when asked for the rest. */
function left(text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: server.port, host: "127.0.0.1" });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
    socket.on("data", () => socket.destroy());
    socket.write(text);
  });
}

/** Returns the first line of the response to a raw request. */
function spoken(text: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect({ port: server.port, host: "127.0.0.1" });
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      heard += chunk;
    });
    socket.on("error", () => resolve(heard));
    socket.on("close", () => resolve(heard.split("\r\n")[0] ?? ""));
    socket.end(text);
  });
}
