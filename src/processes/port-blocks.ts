import { createHash } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { createServer } from "node:net";
import type { PortBlocks } from "../core/ports/port-blocks.ts";

export type PortRange = {
  /** Below what systems give to outgoing connections. */
  readonly first?: number;
  readonly blocks?: number;
  readonly size?: number;
};

/**
 * A block is held by a socket, not by a file: the system itself gives a number to one process only, whoever's it is,
 * and takes it back when that process ends in whatever way. The socket is UDP, so that all TCP ports stay free.
 */
export function portBlocks({ first = 20_000, blocks = 500, size = 20 }: PortRange = {}): PortBlocks {
  return {
    async take(wish) {
      const start = createHash("sha256").update(wish).digest().readUInt32BE() % blocks;
      for (let step = 0; step < blocks; step += 1) {
        const base = first + ((start + step) % blocks) * size;
        const guard = await hold(base);
        if (!guard) continue;
        if (await allFree(base, size)) return { base, release: once(() => guard.close()) };
        guard.close();
      }
      return undefined;
    },
  };
}

const LOOPBACK = "127.0.0.1";

function hold(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => resolve(undefined));
    socket.bind({ port, address: LOOPBACK, exclusive: true }, () => {
      // It waits for nothing and must not keep an engine that is done.
      socket.unref();
      resolve(socket);
    });
  });
}

/** Somebody who never heard of blocks may listen in the middle of one. */
async function allFree(base: number, size: number): Promise<boolean> {
  const ports = Array.from({ length: size }, (_port, index) => base + index);
  return (await Promise.all(ports.map(isFree))).every(Boolean);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
