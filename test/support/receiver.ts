import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
};

/** The receiver's response to its n-th request, counted from 1. */
export type Manners = (received: Received, nth: number) => number | "hang" | { readonly location: string };

export type ReceiverServer = {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves once this many requests have arrived. */
  count(least: number): Promise<readonly Received[]>;
  close(): Promise<void>;
};

/** Starts an HTTP server on this machine that records its requests. */
export async function receiverServer(manners: Manners = () => 200, port = 0): Promise<ReceiverServer> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { headers, url: path = "" } = request;
    const one = { id: String(headers["idempotency-key"]), headers, body: Buffer.concat(chunks).toString(), path };
    received.push(one);
    const does = manners(one, received.length);
    for (const look of waiting) look();
    if (does === "hang") return;
    if (typeof does === "number") response.writeHead(does).end("ok");
    else response.writeHead(307, does).end();
  });
  await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
  // It listens on a port, not on a pipe.
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${given}/services/T0/B0/address-that-nobody-may-know`,
    received,
    count: (least) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < least) return;
          waiting.delete(look);
          resolve(received);
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
