import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createApp, type ServerAppOptions } from "./app.ts";
import { type ConnectionLimits, limitConnections } from "./connections.ts";
import { toAddress } from "./guard.ts";

/** Binds to loopback, so the server is not reachable from other machines. */
const LOOPBACK = "127.0.0.1";
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;

export type ListeningServer = { readonly port: number; close(): Promise<void> };
export type ListenOptions = Omit<ServerAppOptions, "address"> & {
  /** Tried in order; 0 selects any free port. */
  readonly ports: readonly number[];
  readonly limits?: ConnectionLimits;
};

/** Starts the server. Returns undefined if all ports are taken. */
export async function listen({ ports, limits, ...parts }: ListenOptions): Promise<ListeningServer | undefined> {
  for (const asked of ports) {
    const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS });
    if (!(await tryBind(server, asked))) continue;
    const bound = server.address();
    const port = typeof bound === "object" && bound ? bound.port : asked;
    const app = createApp({ ...parts, address: toAddress(port) });
    // Errors thrown here come from requests that cannot be parsed.
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    limitConnections(server, (request, response) => void answer(request, response), limits);
    return { port, close: () => closeServer(server) };
  }
  return undefined;
}

function tryBind(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      if ("code" in error && error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => resolve(true));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Streams do not end on their own.
    server.closeAllConnections();
  });
}
