import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type ConnectionLimits = {
  readonly most: number;
  /** Requests that one connection may queue while one is answered. */
  readonly waiting: number;
  /** How long a client may read nothing while data is waiting for it. */
  readonly stalledMs: number;
  /** Maximum number of bytes buffered for one client. */
  readonly bytes: number;
};

/** A browser opens six connections per server and sends one request at a time on each. */
export const LIMITS: ConnectionLimits = { most: 128, waiting: 32, stalledMs: 20_000, bytes: 16 * 2 ** 20 };

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

type Client = {
  readonly turns: (() => void)[];
  busy: boolean;
  /** Bytes sent to the client at the last check. */
  taken: number;
  movedAt: number;
};

/**
 * Limits the cost of clients that never read. Each connection gets one answer at a time, so one answer per client is in
 * memory. A client that reads nothing is disconnected. Above the connection limit, the least active connection is
 * closed.
 */
export function limitConnections(server: Server, answer: RequestHandler, limits: ConnectionLimits = LIMITS): void {
  const clients = new Map<Socket, Client>();
  server.on("connection", (socket) => {
    const client: Client = { turns: [], busy: false, taken: 0, movedAt: Date.now() };
    clients.set(socket, client);
    socket.once("close", () => {
      clients.delete(socket);
      // Drop queued requests of a client that hung up, so that no answers are built for it.
      client.turns.length = 0;
    });
    if (clients.size > limits.most) findStalest(clients)?.destroy();
  });
  server.on("request", (request, response) => {
    const client = clients.get(request.socket);
    if (!client || client.turns.length >= limits.waiting) return void request.socket.destroy();
    client.turns.push(() => {
      response.once("close", () => answerNext(client));
      answer(request, response);
    });
    if (!client.busy) answerNext(client);
  });
  const look = setInterval(() => {
    for (const [socket, client] of clients) {
      const waits = socket.writableLength;
      const taken = socket.bytesWritten - waits;
      if (waits === 0 || taken !== client.taken) client.movedAt = Date.now();
      client.taken = taken;
      if (waits > limits.bytes || Date.now() - client.movedAt >= limits.stalledMs) socket.destroy();
    }
  }, limits.stalledMs / 4).unref();
  server.once("close", () => clearInterval(look));
}

function answerNext(client: Client): void {
  const turn = client.turns.shift();
  client.busy = turn !== undefined;
  turn?.();
}

/** Returns the oldest connection that has not read its answer, otherwise the oldest idle one. */
function findStalest(clients: ReadonlyMap<Socket, Client>): Socket | undefined {
  const rank = ([socket, { busy }]: readonly [Socket, Client]): number => {
    if (socket.writableLength > 0) return 0;
    return busy ? 2 : 1;
  };
  const [first] = [...clients].toSorted((one, other) => rank(one) - rank(other));
  return first?.[0];
}
