import { closeSync, constants, existsSync, openSync, readSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { ProcessOrder } from "../core/ports/processes.ts";
import { locateCommand } from "./programs.ts";

type ProcessContext = Pick<ProcessOrder, "cwd" | "env">;

/**
 * The system reports a script as missing if the interpreter in its first line is missing. Returns a message that names
 * the interpreter; undefined if the script itself is missing.
 */
export function findMissingInterpreter(output: string, { cwd, env }: ProcessContext): string | undefined {
  const named = NOT_FOUND_MESSAGES.map((pattern) => pattern.exec(output)?.[1]).find((name) => name !== undefined);
  if (named === undefined) return undefined;
  const file = named.includes("/") ? resolve(cwd, named) : locateCommand(named, env);
  const interpreter = file === undefined ? undefined : readInterpreter(file);
  if (interpreter === undefined || existsSync(interpreter)) return undefined;
  return `signalbox: ${named} is there, but its interpreter ${interpreter} (in its first line) is not`;
}

/** Messages of shells, of sandbox programs, and of programs that start another. */
const NOT_FOUND_MESSAGES: readonly RegExp[] = [
  /^(?:\S*\/)?(?:\w+|\S+\.sh): (?:line )?(?:\d+: )?(?:exec: )?([^\s:]+): (?:not found|No such file or directory)\s*$/m,
  /^(?:\S*\/)?(?:\w+): (?:line )?(?:\d+: )?([^\s:]+): cannot execute: required file not found\s*$/m,
  /^(?:\S*\/)?(?:\w+): (?:line )?(?:\d+: )?([^\s:]+): \S+: bad interpreter\b.*$/m,
  /^bwrap: execvp ([^\s:]+): No such file or directory\s*$/m,
  /^([^\s:]+): not found\s*$/m,
];

/** Returns undefined if the file has no `#!` line with an absolute path. */
function readInterpreter(file: string): string | undefined {
  const head = readHead(file);
  const named = head === undefined ? undefined : /^#![ \t]*(\S+)/.exec(head)?.[1];
  return named !== undefined && isAbsolute(named) ? named : undefined;
}

const HEAD_BYTES = 256;

function readHead(file: string): string | undefined {
  try {
    // Non-blocking, because the path may be a FIFO.
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      return head.subarray(0, readSync(handle, head)).toString("utf8");
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
