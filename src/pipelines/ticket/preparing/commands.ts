import type { Tree } from "../../../core/authoring/tree.ts";
import type { Evidence, Verbs } from "../../../core/authoring/verbs.ts";
import { detectCommands } from "../../../core/checks/detect/detect-commands.ts";

export const NOT_AVAILABLE = "NOT_AVAILABLE";
const CONFIGURED = ".signalbox/config.yaml";
/** Reading each existing file is a step in the journal, so changing this list or its order would break stored runs. */
const FILES_ASKED: readonly string[] = [
  ...["package.json", "pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py"],
  ...["requirements-dev.txt", "dev-requirements.txt", "requirements-test.txt", "test-requirements.txt"],
  ...["requirements.txt", "GNUmakefile", "makefile", "Makefile"],
];

/** Commands that a person approved, by name, and which of them build and test. */
export type Commands = {
  readonly approved: Readonly<Record<string, string>>;
  readonly build?: string;
  readonly test?: string;
  /** File that defines each command, by name. */
  readonly from: Readonly<Record<string, string>>;
};

/** Runs step I1.A: the approved commands, and the first project file in a fixed order that defines each. */
export async function readCommands(
  { see }: Pick<Verbs<unknown>, "see">,
  at: { readonly approved: Commands["approved"]; readonly files: readonly string[]; readonly tree: Tree },
): Promise<Commands> {
  const names = at.files.filter((path) => !path.includes("/"));
  const texts = new Map<string, string>();
  for (const path of FILES_ASKED.filter((name) => names.includes(name))) {
    texts.set(path, (await see("file", { path, in: at.tree }))?.text ?? "");
  }
  return selectCommands(at.approved, texts, names);
}

/**
 * @rule T-31 (policy) Build and test come from the first project file, in a fixed order, that defines them; the file is
 *   recorded. Without a match the command is `NOT_AVAILABLE`.
 */
export function selectCommands(
  approved: Readonly<Record<string, string>>,
  texts: ReadonlyMap<string, string>,
  names: readonly string[],
): Commands {
  const found = detectCommands(texts, names).commands;
  const from = Object.entries(approved).map(([name, line]): [string, string] => [
    name,
    found.find((each) => each.name === name && each.run === line)?.from ?? CONFIGURED,
  ]);
  return {
    approved,
    from: Object.fromEntries(from),
    ...(approved["build"] === undefined ? {} : { build: "build" }),
    ...(approved["test"] === undefined ? {} : { test: "test" }),
  };
}

export const getCommandLine = ({ approved }: Commands, name: string | undefined): string =>
  (name === undefined ? undefined : approved[name]) ?? NOT_AVAILABLE;

/** Finds an approved command by name or by line; undefined if nobody approved it. */
export function findApprovedName({ approved }: Pick<Commands, "approved">, said: string): string | undefined {
  if (Object.hasOwn(approved, said)) return said;
  return Object.keys(approved).find((name) => approved[name] === said);
}

/** Restores a resumed ticket's commands, as far as a person has approved them here. */
export function restoreCommands(commands: Commands, said: { build_command: string; test_command: string }): Commands {
  const build = findApprovedName(commands, said.build_command) ?? commands.build;
  const test = findApprovedName(commands, said.test_command) ?? commands.test;
  return { ...commands, ...(build === undefined ? {} : { build }), ...(test === undefined ? {} : { test }) };
}

/** Returns whether a command of the project proves the tree. The engine's own checks never count. */
export function isProven({ approved }: Pick<Commands, "approved">, { checks }: Pick<Evidence, "checks">): boolean {
  return checks.some(({ name, proves }) => proves === true && Object.hasOwn(approved, name));
}

/** Returns whether tests ran and passed, so that no review is needed. */
export function isTested(commands: Commands, { checks }: Pick<Evidence, "checks">): boolean {
  const seen = checks.filter(({ name, tests = 0 }) => name === commands.test && tests > 0);
  return isProven(commands, { checks: seen });
}

const WORDS = {
  passed: "PASSED",
  failed: "FAILED",
  regression: "FAILED",
  "red-before": "RED_BEFORE",
  flaky: "FLAKY",
  "not-run": "NOT_RUN",
} as const;

/** Returns the outcome as a word for reports. A missing command never counts as passed. */
export function toOutcomeWord(evidence: Pick<Evidence, "checks">, name: string | undefined): string {
  const check = evidence.checks.find((each) => each.name === name);
  if (name === undefined || !check) return NOT_AVAILABLE;
  return WORDS[check.outcome];
}
