import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { Growth } from "./liveness/growth.ts";

/**
 * Lines of a growing file until growth is closed, or it is enough. Pulled, so a slow reader costs no memory. Enough is
 * asked because a file can claim a size that nobody could read to its end.
 */
export async function* tailLines(path: string, growth: Growth, isEnough: () => boolean): AsyncGenerator<string> {
  // Without waiting: a pipe in the file's place would keep us for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const splitter = lineSplitter(LINE_BYTES);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    while (!isEnough()) {
      // Both are asked before reading: what is written after an empty read must not be missed.
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

/** Splits at line feeds alone (other separators are legal inside JSON texts) and keeps at most `limit` bytes. */
function lineSplitter(limit: number): LineSplitter {
  let pieces: Buffer[] = [];
  let kept = 0;
  let begun = false;

  const keep = (piece: Buffer) => {
    begun = true;
    const part = piece.subarray(0, limit - kept);
    if (part.length === 0) return;
    kept += part.length;
    // The caller reuses its chunk.
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
        // Most lines lie within one chunk and need no copy.
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
