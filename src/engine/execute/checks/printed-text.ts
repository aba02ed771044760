import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Reads the output of a process: all of it, or its first and last part; undefined if there is none. */
export async function readPrintedText(file: string, most: number): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (!handle) return undefined;
  try {
    const { size } = await handle.stat();
    const readPart = async (from: number, length: number): Promise<string> => {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead).toString("utf8");
    };
    if (size <= most) return await readPart(0, size);
    const half = Math.floor(most / 2);
    const left = size - 2 * half;
    return `${await readPart(0, half)}\n[… ${left} bytes are left out here …]\n${await readPart(size - half, half)}`;
  } finally {
    await handle.close();
  }
}
