import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { Growth } from "./liveness/growth.ts";

/**
 * Yields the lines of a growing file until `growth` is closed or `isEnough` returns true. Lines are pulled, so a slow
 * reader costs no memory. `isEnough` exists because a file can have a size that takes too long to read.
 */
export async function* readGrowingLines(path: string, growth: Growth, isEnough: () => boolean): AsyncGenerator<string> {
  // Non-blocking, because the path may be a FIFO.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const splitter = createLineSplitter(LINE_BYTES);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    while (!isEnough()) {
      // Both are read before the file: data written after an empty read must not be missed.
      const grown = growth.next();
      const last = growth.closed;
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead > 0) yield* splitter.push(chunk.subarray(0, bytesRead));
      else if (last) break;
      else await grown;
    }
    yield* splitter.rest();
  } finally {
    await file.close();
  }
}

type LineSplitter = { push(chunk: Buffer): string[]; rest(): string[] };

/** Splits only at line feeds (other separators are legal inside JSON texts) and truncates lines to `limit` bytes. */
function createLineSplitter(limit: number): LineSplitter {
  let pieces: Buffer[] = [];
  let kept = 0;
  let begun = false;

  const keep = (piece: Buffer) => {
    begun = true;
    const part = piece.subarray(0, limit - kept);
    if (part.length === 0) return;
    kept += part.length;
    // Copies the bytes, because the caller reuses its chunk.
    pieces.push(Buffer.from(part));
  };
  const take = (): string => {
    const line = Buffer.concat(pieces).toString("utf8");
    pieces = [];
    kept = 0;
    begun = false;
    return line;
  };

  return {
    push(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        // Most lines are within one chunk and need no copy.
        const whole = !begun && at - from <= limit;
        if (!whole) keep(chunk.subarray(from, at));
        lines.push(whole ? chunk.toString("utf8", from, at) : take());
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
      return lines;
    },
    rest: () => (begun ? [take()] : []),
  };
}

const LINE_FEED = 0x0a;
const LINE_BYTES = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
