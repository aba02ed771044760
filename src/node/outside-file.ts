import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Content of a file, or why it was not read; `gone` means that it does not exist. */
export type OutsideFile =
  | { readonly ok: true; readonly text: string; readonly bytes: Buffer }
  | { readonly ok: false; readonly gone: boolean; readonly problem: string };

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Reads a file that others can write: agents, workers, tests. Accepts only regular files, follows no link, never
 * blocks, and reads no more than the limit even if the file grows meanwhile.
 */
export function readOutside(file: string, mostBytes: number): OutsideFile {
  let handle: number | undefined;
  try {
    handle = openSync(file, FLAGS);
    if (!fstatSync(handle).isFile()) return toFailure("it is not a regular file");
    const bytes = readBytes(handle, mostBytes);
    if (bytes.length > mostBytes) return toFailure(`it is larger than ${mostBytes} bytes`);
    return { ok: true, bytes, text: bytes.toString("utf8") };
  } catch (error) {
    return toReadFailure(error);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Reads and parses a JSON file. */
export function readOutsideJson(file: string, mostBytes: number): Extract<OutsideFile, { ok: false }> | ParsedFile {
  const read = readOutside(file, mostBytes);
  if (!read.ok) return read;
  try {
    return { ok: true, value: JSON.parse(read.text) };
  } catch (error) {
    return toFailure(error instanceof Error ? error.message : String(error));
  }
}

export type ParsedFile = { readonly ok: true; readonly value: unknown };

const CHUNK = 64 * 1024;

/** Reads one byte more than the limit to detect a larger file. */
function readBytes(handle: number, mostBytes: number): Buffer {
  const chunks: Buffer[] = [];
  for (let left = mostBytes + 1; left > 0; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK, left));
    const got = readSync(handle, chunk);
    if (got === 0) break;
    chunks.push(chunk.subarray(0, got));
    left -= got;
  }
  return Buffer.concat(chunks);
}

function toFailure(problem: string, gone = false) {
  return { ok: false, gone, problem } as const;
}

function toReadFailure(error: unknown) {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return toFailure("it does not exist", true);
  if (code === "ELOOP") return toFailure("it is a link");
  if (code === "ENXIO") return toFailure("it is not a regular file");
  return toFailure(error instanceof Error ? error.message : String(error));
}
