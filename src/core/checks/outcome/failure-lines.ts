/**
 * Extracts the lines about the failure from the output of a failed program, without progress messages. Falls back to
 * its last lines.
 */
export function extractFailureLines(output: string, most: number): string {
  const lines = output
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const telling = [...new Set(lines.filter(isTelling))];
  const said = telling.length > 0 ? telling : lines.slice(-LAST);
  return fitLines(said, most);
}

const LAST = 5;

/** Prefixes of error lines of package managers and compilers. */
const TELLS: readonly RegExp[] = [
  /^npm (?:error|ERR!) /,
  /^\s*(?:ERROR|FATAL|fatal|error|Error)(?:\[\w+\])?: /,
  /^\s*(?:ERR_\w+|error An unexpected error|➤ YN\d+: .*(?:Error|failed))/,
  /^\s*[A-Z]\w*(?:Error|Exception): /,
  /^(?:\S*\/)?(?:ba|da|z)?sh: .*(?:not found|No such file)/,
  /^\S*python[\d.]*: /,
  /^go: .*(?:cannot|no such|x509|failed|unknown)/,
  /^\[(?:ERROR|FATAL)\] /,
  /^\s*\[\d+\] Could(?:n't| not) resolve host/,
  /^make(?:\[\d+\])?: (?:\*\*\*|\S+: No such file)/,
  /CERTIFICATE_VERIFY_FAILED|SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER|certificate signed by unknown/,
];

/** npm repeats the message in several lines, and prints irrelevant paths and numbers. */
const NOISE: readonly RegExp[] = [
  /^npm \S+ (?:A complete log|errno |syscall |command |path |type |\s*at )/,
  /^npm \S+\s+(?:code|errno|syscall|address|port|type|requiredBy|erroredSysCall): /,
  /^npm \S+\s*(?:[{}]|https?:\/\/\S+)?\s*$/,
  /^\[ERROR\] (?:Re-run Maven|To see the full stack|For more information|After correcting|\[Help)/,
  /^\s*(?:ERROR|error): subprocess-exited-with-error/,
];

/** Finds the last line that names a failure; runtimes print their version or the time after it. */
export function findFailureLine(lines: readonly string[]): string | undefined {
  return lines.findLast((line) => isTelling(line) || FAILS.test(line));
}

/** Marks of a failed test, not of a total. */
const FAILS = /^\s*(?:FAIL\b|--- FAIL:|✗|✖|✕|×|not ok\b)|\bAssertionError\b/;

function isTelling(line: string): boolean {
  return TELLS.some((pattern) => pattern.test(line)) && !NOISE.some((pattern) => pattern.test(line));
}

/** Keeps the first lines whole: programs print the cause before its consequences. */
function fitLines(lines: readonly string[], most: number): string {
  const shown: string[] = [];
  let room = most;
  for (const line of lines) {
    if (room <= 0) break;
    const part = line.length <= room ? line : `${line.slice(0, Math.max(0, room - 1))}…`;
    shown.push(part);
    room -= part.length + 1;
  }
  return shown.join("\n");
}
