import { splitSegments } from "../tamper/shell-line.ts";
import { isSystemProgram } from "./missing-program.ts";

/**
 * Lists the programs of the machine that a shell line certainly starts: the first one, and each further one unless
 * something before it could have installed it. Ignores paths, shell keywords, and everything after a change of PATH.
 */
export function listStartedPrograms(run: string): readonly string[] {
  const found = new Set<string>();
  const said = new Set<string>();
  for (const { words, operator } of splitSegments(run)) {
    const plain = words.map((word) => word.replace(/^\(+/, "").replace(/\)+$/, ""));
    if (plain.some((word) => word.startsWith("PATH="))) break;
    if (plain[0] === "cd" || plain[0] === "export") continue;
    const program = findStartedProgram(plain);
    if (program !== undefined && !said.has(program)) found.add(program);
    // After `||` or `;` there may be an alternative.
    if (operator !== "&&" || mayInstall(plain, program)) break;
    for (const word of plain) said.add(word.replace(/@.*$/, ""));
  }
  return [...found];
}

/** An unknown program, or one that the set-up does not create, may install the next one. */
function mayInstall([first = ""]: readonly string[], program: string | undefined): boolean {
  return !OWN_FOLDER.test(first) && (program === undefined || !isSystemProgram(program));
}

function findStartedProgram(words: readonly string[]): string | undefined {
  const word = words.find((each) => !/^[A-Za-z_]\w*=/.test(each)) ?? "";
  const program = WRAPPED.get(word) ?? word;
  return /^[A-Za-z][\w.+-]*$/.test(program) && !SHELL.has(program) ? program : undefined;
}

const OWN_FOLDER = /^\.venv\/bin\//;

/** Scripts of a tree that need this program of the machine. */
const WRAPPED: ReadonlyMap<string, string> = new Map([
  ["./mvnw", "java"],
  ["./gradlew", "java"],
]);

const SHELL: ReadonlySet<string> = new Set([
  ...["if", "for", "while", "until", "case", "test", "set", "source", "eval", "exec", "command", "echo", "printf"],
  ...["true", "false", "exit", "type", "time", "trap", "ulimit", "umask", "unset", "wait", "read", "return", "shift"],
  ...["alias", "env", "function", "local", "then", "do", "sh", "bash"],
]);
