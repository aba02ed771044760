import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** What was read, or why it was not; `gone`: nothing is there at all. */
export type OutsideFile =
  | { readonly ok: true; readonly text: string; readonly bytes: Buffer }
  | { readonly ok: false; readonly gone: boolean; readonly problem: string };

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * A file that others can write: agents, workers, tests. Only a regular one, never through a link, never waiting, and
 * never more than was asked for, whatever it grows to meanwhile.
 */
export function readOutside(file: string, mostBytes: number): OutsideFile {
  let handle: number | undefined;
  try {
    handle = openSync(file, FLAGS);
    if (!fstatSync(handle).isFile()) return unread("it is no regular file");
    const bytes = bytesOf(handle, mostBytes);
    if (bytes.length > mostBytes) return unread(`it is larger than ${mostBytes} bytes`);
    return { ok: true, bytes, text: bytes.toString("utf8") };
  } catch (error) {
    return failed(error);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The same, as JSON. */
export function readOutsideJson(file: string, mostBytes: number): Extract<OutsideFile, { ok: false }> | Parsed {
  const read = readOutside(file, mostBytes);
  if (!read.ok) return read;
  try {
    return { ok: true, value: JSON.parse(read.text) };
  } catch (error) {
    return unread(error instanceof Error ? error.message : String(error));
  }
}

export type Parsed = { readonly ok: true; readonly value: unknown };

const CHUNK = 64 * 1024;

/** One byte more than is wanted tells that there is more. */
function bytesOf(handle: number, mostBytes: number): Buffer {
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

function unread(problem: string, gone = false) {
  return { ok: false, gone, problem } as const;
}

function failed(error: unknown) {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return unread("it is not there", true);
  if (code === "ELOOP") return unread("it is a link");
  if (code === "ENXIO") return unread("it is no regular file");
  return unread(error instanceof Error ? error.message : String(error));
}
