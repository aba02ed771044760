import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type AppParts, createApp } from "./app.ts";
import { boundConnections, type ConnectionLimits } from "./connections.ts";
import { addressOf } from "./guard.ts";

/** Loopback: nobody outside this machine reaches it. */
const LOOPBACK = "127.0.0.1";
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;

export type Listening = { readonly port: number; close(): Promise<void> };
export type ListenOptions = Omit<AppParts, "address"> & {
  /** Tried in order; 0 is any that is free. */
  readonly ports: readonly number[];
  readonly limits?: ConnectionLimits;
};

/** Undefined where all of the ports are taken. */
export async function listen({ ports, limits, ...parts }: ListenOptions): Promise<Listening | undefined> {
  for (const asked of ports) {
    const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS });
    if (!(await isBound(server, asked))) continue;
    const bound = server.address();
    const port = typeof bound === "object" && bound ? bound.port : asked;
    const app = createApp({ ...parts, address: addressOf(port) });
    // What is thrown here is a request that cannot even be read.
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    boundConnections(server, (request, response) => void answer(request, response), limits);
    return { port, close: () => closed(server) };
  }
  return undefined;
}

function isBound(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      if ("code" in error && error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => resolve(true));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Streams never end by themselves.
    server.closeAllConnections();
  });
}
