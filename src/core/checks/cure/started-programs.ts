import { segmentsOf } from "../tamper/shell-line.ts";
import { isFromOthers } from "./missing-program.ts";

/**
 * The programs of the machine that a shell line starts, as far as that is certain: the first one, and each further one
 * as long as nothing before it could have brought it. Nothing for a path, a word of the shell, and what comes after a
 * line has set where programs are looked for.
 */
export function programsIn(run: string): readonly string[] {
  const found = new Set<string>();
  const said = new Set<string>();
  for (const { words, operator } of segmentsOf(run)) {
    const plain = words.map((word) => word.replace(/^\(+/, "").replace(/\)+$/, ""));
    if (plain.some((word) => word.startsWith("PATH="))) break;
    if (plain[0] === "cd" || plain[0] === "export") continue;
    const program = startedBy(plain);
    if (program !== undefined && !said.has(program)) found.add(program);
    // Behind `||` or `;` there may be another way.
    if (operator !== "&&" || mayBring(plain, program)) break;
    for (const word of plain) said.add(word.replace(/@.*$/, ""));
  }
  return [...found];
}

/** What is neither known nor made by the set-up itself may install what comes next. */
function mayBring([first = ""]: readonly string[], program: string | undefined): boolean {
  return !OWN_FOLDER.test(first) && (program === undefined || !isFromOthers(program));
}

function startedBy(words: readonly string[]): string | undefined {
  const word = words.find((each) => !/^[A-Za-z_]\w*=/.test(each)) ?? "";
  const program = WRAPPED.get(word) ?? word;
  return /^[A-Za-z][\w.+-]*$/.test(program) && !SHELL.has(program) ? program : undefined;
}

const OWN_FOLDER = /^\.venv\/bin\//;

/** Scripts of a tree that are nothing without this program of the machine. */
const WRAPPED: ReadonlyMap<string, string> = new Map([
  ["./mvnw", "java"],
  ["./gradlew", "java"],
]);

const SHELL: ReadonlySet<string> = new Set([
  ...["if", "for", "while", "until", "case", "test", "set", "source", "eval", "exec", "command", "echo", "printf"],
  ...["true", "false", "exit", "type", "time", "trap", "ulimit", "umask", "unset", "wait", "read", "return", "shift"],
  ...["alias", "env", "function", "local", "then", "do", "sh", "bash"],
]);
