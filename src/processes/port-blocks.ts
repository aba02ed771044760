import { createHash } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { createServer } from "node:net";
import type { PortBlocks } from "../core/ports/port-blocks.ts";

export type PortRange = {
  /** Below the range that systems use for outgoing connections. */
  readonly first?: number;
  readonly blocks?: number;
  readonly size?: number;
};

/**
 * Reserves each block by a socket instead of a file: the system gives a port to one process only and frees it however
 * that process ends. The socket is UDP, so that all TCP ports stay free.
 */
export function createPortBlocks({ first = 20_000, blocks = 500, size = 20 }: PortRange = {}): PortBlocks {
  return {
    async take(wish) {
      const start = createHash("sha256").update(wish).digest().readUInt32BE() % blocks;
      for (let step = 0; step < blocks; step += 1) {
        const base = first + ((start + step) % blocks) * size;
        const guard = await bindGuard(base);
        if (!guard) continue;
        if (await areAllFree(base, size)) return { base, release: callOnce(() => guard.close()) };
        guard.close();
      }
      return undefined;
    },
  };
}

const LOOPBACK = "127.0.0.1";

function bindGuard(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => resolve(undefined));
    socket.bind({ port, address: LOOPBACK, exclusive: true }, () => {
      // The socket waits for nothing and must not keep a finished engine alive.
      socket.unref();
      resolve(socket);
    });
  });
}

/** A program that does not use blocks may listen on a port inside one. */
async function areAllFree(base: number, size: number): Promise<boolean> {
  const ports = Array.from({ length: size }, (_port, index) => base + index);
  return (await Promise.all(ports.map(isPortFree))).every(Boolean);
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function callOnce(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
