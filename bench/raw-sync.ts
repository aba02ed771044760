import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Measures appends of 200 bytes per second, each on the disk before the next: the limit of the disk. */
export function rawSyncs(dir: string, count: number): number {
  const file = join(dir, "raw");
  const fd = openSync(file, "w");
  const line = Buffer.alloc(200, "x");
  const from = performance.now();
  for (let n = 0; n < count; n += 1) {
    writeSync(fd, line);
    fdatasyncSync(fd);
  }
  const rate = (count * 1_000) / (performance.now() - from);
  closeSync(fd);
  rmSync(file);
  return rate;
}
