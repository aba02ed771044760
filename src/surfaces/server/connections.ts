import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type ConnectionLimits = {
  readonly most: number;
  /** Requests that one connection may send before its first is answered. */
  readonly waiting: number;
  /** How long a client may take nothing of what is on its way to it. */
  readonly stalledMs: number;
  /** What may be on its way to one client. */
  readonly bytes: number;
};

/** A browser has six connections to one server and asks one thing at a time on each. */
export const LIMITS: ConnectionLimits = { most: 128, waiting: 32, stalledMs: 20_000, bytes: 16 * 2 ** 20 };

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

type Client = {
  readonly turns: (() => void)[];
  busy: boolean;
  /** Bytes that have left for it, when that was last looked at. */
  taken: number;
  movedAt: number;
};

/**
 * Whoever never reads must cost others nothing: of each connection one request is answered at a time, so one answer is
 * in memory; a client that takes nothing is let go; and where too many are there, the one that did least goes.
 */
export function boundConnections(server: Server, answer: Answer, limits: ConnectionLimits = LIMITS): void {
  const clients = new Map<Socket, Client>();
  server.on("connection", (socket) => {
    const client: Client = { turns: [], busy: false, taken: 0, movedAt: Date.now() };
    clients.set(socket, client);
    socket.once("close", () => {
      clients.delete(socket);
      // Answers to a client that hung up would be built in memory for nobody.
      client.turns.length = 0;
    });
    if (clients.size > limits.most) stalest(clients)?.destroy();
  });
  server.on("request", (request, response) => {
    const client = clients.get(request.socket);
    if (!client || client.turns.length >= limits.waiting) return void request.socket.destroy();
    client.turns.push(() => {
      response.once("close", () => next(client));
      answer(request, response);
    });
    if (!client.busy) next(client);
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

function next(client: Client): void {
  const turn = client.turns.shift();
  client.busy = turn !== undefined;
  turn?.();
}

/** The oldest of those that have not taken their answer, or else of those that ask nothing. */
function stalest(clients: ReadonlyMap<Socket, Client>): Socket | undefined {
  const rank = ([socket, { busy }]: readonly [Socket, Client]): number => {
    if (socket.writableLength > 0) return 0;
    return busy ? 2 : 1;
  };
  const [first] = [...clients].toSorted((one, other) => rank(one) - rank(other));
  return first?.[0];
}
