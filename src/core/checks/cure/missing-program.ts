import { ECOSYSTEMS } from "../detect/ecosystems/index.ts";
import { segmentsOf } from "../tamper/shell-line.ts";

/** How a program is got that no package of a project brings along: a line, or a page that says it. */
export function fromOthers(program: string): string | undefined {
  return PROGRAMS.get(program);
}

/** The same as a sentence. */
export function missingText(program: string): string {
  const get = fromOthers(program);
  if (get === undefined)
    return `${program} is not on the PATH; install ${program}, put the folder that has it on the PATH, or let the line of setup do that`;
  return get.startsWith("https:")
    ? `${program} is not on the PATH; install ${program} as ${get} says, or put the folder that has it on the PATH`
    : `${program} is not on the PATH; get it: ${get}`;
}

const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ...ECOSYSTEMS.flatMap(({ programs }) => Object.entries(programs)),
  ["golangci-lint", "https://golangci-lint.run/docs/welcome/install"],
  ["gcc", "sudo apt install build-essential"],
  ["cc", "sudo apt install build-essential"],
]);

export const KNOWN_PROGRAMS: readonly string[] = [...PROGRAMS.keys()];

/**
 * The program that a shell line starts first, where its own name says which: nothing for a path, a word of the shell, a
 * line that sets where programs are looked for.
 */
export function programOf(run: string): string | undefined {
  if (/(?:^|\s)(?:export\s+)?PATH=/.test(run)) return undefined;
  const [first] = segmentsOf(run).filter(({ words: [word] }) => word !== "cd" && word !== "export");
  const word = first?.words.find((each) => !/^[A-Za-z_]\w*=/.test(each)) ?? "";
  const program = WRAPPED.get(word) ?? word;
  return /^[A-Za-z][\w.+-]*$/.test(program) && !SHELL.has(program) ? program : undefined;
}

/** Scripts of a tree that are nothing without this program of the machine. */
const WRAPPED: ReadonlyMap<string, string> = new Map([
  ["./mvnw", "java"],
  ["./gradlew", "java"],
]);

const SHELL: ReadonlySet<string> = new Set([
  ...[
    "if",
    "for",
    "while",
    "until",
    "case",
    "test",
    "set",
    "source",
    "eval",
    "exec",
    "command",
    "echo",
    "printf",
    "true",
  ],
  ...["false", "exit", "type", "time", "trap", "ulimit", "umask", "unset", "wait", "read", "return", "shift", "alias"],
  ...["env", "function", "local", "then", "do", "sh", "bash"],
]);
