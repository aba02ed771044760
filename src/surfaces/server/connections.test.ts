import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ask } from "./ask.fixture.ts";
import { type ConnectionLimits, LIMITS, limitConnections } from "./connections.ts";
import { type ListeningServer, listen } from "./listen.ts";
import { createStage, stagePort } from "./port/port.fixture.ts";
import { createSession } from "./session.ts";

/** More than the system buffers for a client that does not read. */
const ASSET = 8 * 2 ** 20;
const MOST = 20;
let web = "";
let server: ListeningServer | undefined;
const sockets: Socket[] = [];

beforeAll(async () => {
  web = await mkdtemp(join(tmpdir(), "signalbox-web-"));
  await writeFile(join(web, "index.html"), "<!doctype html><title>Signalbox</title>");
  await writeFile(join(web, "large.js"), randomBytes(ASSET));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
});
afterAll(() => rm(web, { recursive: true }));

async function served(limits: Partial<ConnectionLimits> = {}): Promise<number> {
  const session = createSession({ token: "t".repeat(43), now: () => 0 });
  server = await listen({
    ...{ port: stagePort(createStage()), session, web, ports: [0] },
    limits: { ...LIMITS, ...limits },
  });
  if (!server) throw new Error("no port is free");
  return server.port;
}

/** Sends this many requests at once and reads nothing. */
async function greedy(port: number, requests: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").pause();
  sockets.push(socket.on("error", () => undefined));
  await once(socket, "connect");
  socket.write(`GET /large.js HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`.repeat(requests));
  return socket;
}

const page = (port: number) => ask({ port, path: "/", headers: { host: `127.0.0.1:${port}` } });

test("clients that send many requests and never read hold one answer each, and others are served", async () => {
  const port = await served({ most: 200 });
  const before = process.memoryUsage().arrayBuffers;
  for (let at = 0; at < MOST; at += 1) await greedy(port, 30);
  for (let at = 0; at < 5; at += 1) expect(await page(port)).toMatchObject({ status: 200 });
  // 30 answers each would be 4,800 MB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MOST * 2 * ASSET);
});

/** Creates a server with the same limits whose own ends of the connections can be observed. */
async function watched(limits: Partial<ConnectionLimits>) {
  const bare = createServer();
  const ends: Socket[] = [];
  bare.on("connection", (socket) => ends.push(socket));
  limitConnections(bare, (_request, response) => void response.end(Buffer.alloc(ASSET)), { ...LIMITS, ...limits });
  bare.listen(0, "127.0.0.1");
  await once(bare, "listening");
  const bound = bare.address();
  const close = (): void => {
    bare.close();
    bare.closeAllConnections();
  };
  return { port: typeof bound === "object" ? (bound?.port ?? 0) : 0, ends, [Symbol.dispose]: close };
}

const closed = async (socket: Socket | undefined): Promise<void> => {
  if (socket && !socket.closed) await once(socket, "close");
};

test("requests of a client that hung up are not answered", async () => {
  const bare = createServer();
  let answers = 0;
  limitConnections(bare, (_request, response) => {
    answers += 1;
    setImmediate(() => response.end(Buffer.alloc(ASSET)));
  });
  bare.listen(0, "127.0.0.1");
  await once(bare, "listening");
  const bound = bare.address();
  const socket = await greedy(typeof bound === "object" ? (bound?.port ?? 0) : 0, 30);
  await expect.poll(() => answers).toBe(1);
  const ended = new Promise<void>((resolve) => bare.close(() => resolve()));
  socket.destroy();
  await ended;
  // Each unnecessary answer would start the next one within a few turns of the event loop.
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  expect(answers).toBe(1);
});

test("above the connection limit, a client that has not read its answer is closed first", async () => {
  using place = await watched({ most: 3 });
  const idle = connect(place.port, "127.0.0.1");
  sockets.push(idle);
  await once(idle, "connect");
  for (let at = 0; at < 3; at += 1) await greedy(place.port, 30);
  await closed(place.ends[1]);
  expect(place.ends.map((socket) => socket.destroyed)).toEqual([false, true, false, false]);
});

test("a client that reads nothing of an answer for too long is disconnected", async () => {
  using place = await watched({ stalledMs: 40 });
  await greedy(place.port, 1);
  await closed(place.ends[0]);
});

test("a client with too many buffered bytes is disconnected", async () => {
  using place = await watched({ stalledMs: 4_000, bytes: ASSET / 8 });
  await greedy(place.port, 1);
  await closed(place.ends[0]);
});

test("too many pipelined requests end the connection", async () => {
  using place = await watched({ waiting: 3 });
  await greedy(place.port, 6);
  await closed(place.ends[0]);
});

test("a client that reads gets its answers in order", async () => {
  using place = await watched({});
  const socket = (await greedy(place.port, 3)).resume();
  let got = 0;
  socket.on("data", (chunk) => {
    got += chunk.length;
    if (got > 3 * ASSET) socket.end();
  });
  await closed(socket);
  expect(got).toBeGreaterThan(3 * ASSET);
});
