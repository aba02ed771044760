import { closeSync, constants, existsSync, openSync, readSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { ProcessOrder } from "../core/ports/processes.ts";
import { locate } from "./programs.ts";

type ProcessContext = Pick<ProcessOrder, "cwd" | "env">;

/**
 * Of a script whose first line names a program that is not there, the system says that the script is not there. What is
 * really missing is put behind those words; undefined where they are true.
 */
export function missingInterpreter(said: string, { cwd, env }: ProcessContext): string | undefined {
  const named = SAYINGS.map((saying) => saying.exec(said)?.[1]).find((name) => name !== undefined);
  if (named === undefined) return undefined;
  const file = named.includes("/") ? resolve(cwd, named) : locate(named, env);
  const interpreter = file === undefined ? undefined : interpreterOf(file);
  if (interpreter === undefined || existsSync(interpreter)) return undefined;
  return `signalbox: ${named} is there, but its interpreter ${interpreter} (in its first line) is not`;
}

/** Of shells, of the walls around a command, and of a program that starts another. */
const SAYINGS: readonly RegExp[] = [
  /^(?:\S*\/)?(?:\w+|\S+\.sh): (?:line )?(?:\d+: )?(?:exec: )?([^\s:]+): (?:not found|No such file or directory)\s*$/m,
  /^(?:\S*\/)?(?:\w+): (?:line )?(?:\d+: )?([^\s:]+): cannot execute: required file not found\s*$/m,
  /^(?:\S*\/)?(?:\w+): (?:line )?(?:\d+: )?([^\s:]+): \S+: bad interpreter\b.*$/m,
  /^bwrap: execvp ([^\s:]+): No such file or directory\s*$/m,
  /^([^\s:]+): not found\s*$/m,
];

/** Undefined where the file is none that names one with its whole path. */
function interpreterOf(file: string): string | undefined {
  const head = headOf(file);
  const named = head === undefined ? undefined : /^#![ \t]*(\S+)/.exec(head)?.[1];
  return named !== undefined && isAbsolute(named) ? named : undefined;
}

const HEAD_BYTES = 256;

function headOf(file: string): string | undefined {
  try {
    // Without waiting: whoever wrote those words may have put a pipe there.
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
