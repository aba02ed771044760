/**
 * What a failed program says about its failure, without the progress around it. Where nothing looks like that, its last
 * lines.
 */
export function tellingLines(output: string, most: number): string {
  const lines = output
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const telling = [...new Set(lines.filter(isTelling))];
  const said = telling.length > 0 ? telling : lines.slice(-LAST);
  return fitted(said, most);
}

const LAST = 5;

/** How package managers and compilers begin a line about what went wrong. */
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

/** npm says the same in several lines, and names files and numbers that help nobody. */
const NOISE: readonly RegExp[] = [
  /^npm \S+ (?:A complete log|errno |syscall |command |path |type |\s*at )/,
  /^npm \S+\s+(?:code|errno|syscall|address|port|type|requiredBy|erroredSysCall): /,
  /^npm \S+\s*(?:[{}]|https?:\/\/\S+)?\s*$/,
  /^\[ERROR\] (?:Re-run Maven|To see the full stack|For more information|After correcting|\[Help)/,
  /^\s*(?:ERROR|error): subprocess-exited-with-error/,
];

/** Finds the last line that names a failure; a runtime prints its version or the time behind it. */
export function findFailureLine(lines: readonly string[]): string | undefined {
  return lines.findLast((line) => isTelling(line) || FAILS.test(line));
}

/** How test programs mark a test that failed, and not how many did. */
const FAILS = /^\s*(?:FAIL\b|--- FAIL:|✗|✖|✕|×|not ok\b)|\bAssertionError\b/;

function isTelling(line: string): boolean {
  return TELLS.some((pattern) => pattern.test(line)) && !NOISE.some((pattern) => pattern.test(line));
}

/** The first ones whole: a program names the reason before its consequences. */
function fitted(lines: readonly string[], most: number): string {
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
