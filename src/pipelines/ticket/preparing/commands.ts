import type { Tree } from "../../../core/authoring/tree.ts";
import type { Evidence, Verbs } from "../../../core/authoring/verbs.ts";
import { detectCommands } from "../../../core/checks/detect/detect-commands.ts";

export const NOT_AVAILABLE = "NOT_AVAILABLE";
const CONFIGURED = ".signalbox/config.yaml";
/** Each one that is there is a step of the journal: another list, or another order, would fit no stored run. */
const FILES_ASKED: readonly string[] = [
  ...["package.json", "pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py"],
  ...["requirements-dev.txt", "dev-requirements.txt", "requirements-test.txt", "test-requirements.txt"],
  ...["requirements.txt", "GNUmakefile", "makefile", "Makefile"],
];

/** The lines that a person has agreed to, by name, and which of them build and test. */
export type Commands = {
  readonly approved: Readonly<Record<string, string>>;
  readonly build?: string;
  readonly test?: string;
  /** By name: the file that says so. */
  readonly from: Readonly<Record<string, string>>;
};

/** Step I1.A: what the run was started with, and the first project file of a fixed order that has the same. */
export async function seeCommands(
  { see }: Pick<Verbs<unknown>, "see">,
  at: { readonly approved: Commands["approved"]; readonly files: readonly string[]; readonly tree: Tree },
): Promise<Commands> {
  const names = at.files.filter((path) => !path.includes("/"));
  const texts = new Map<string, string>();
  for (const path of FILES_ASKED.filter((name) => names.includes(name))) {
    texts.set(path, (await see("file", { path, in: at.tree }))?.text ?? "");
  }
  return commandsOf(at.approved, texts, names);
}

/**
 * @rule T-31 (policy) Build and test come from the first project file that has them, which is named; a missing one is
 *   not available.
 */
export function commandsOf(
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

export const lineOf = ({ approved }: Commands, name: string | undefined): string =>
  (name === undefined ? undefined : approved[name]) ?? NOT_AVAILABLE;

/** By its name or by its line; undefined for what nobody has agreed to. */
export function approvedName({ approved }: Pick<Commands, "approved">, said: string): string | undefined {
  if (Object.hasOwn(approved, said)) return said;
  return Object.keys(approved).find((name) => approved[name] === said);
}

/** The commands of a ticket that goes on: those of its books, as far as a person has agreed to them here. */
export function restored(commands: Commands, said: { build_command: string; test_command: string }): Commands {
  const build = approvedName(commands, said.build_command) ?? commands.build;
  const test = approvedName(commands, said.test_command) ?? commands.test;
  return { ...commands, ...(build === undefined ? {} : { build }), ...(test === undefined ? {} : { test }) };
}

/** Some command of the project says something good about the tree; the engine's own checks never stand in for it. */
export function isProven({ approved }: Pick<Commands, "approved">, { checks }: Pick<Evidence, "checks">): boolean {
  return checks.some(({ name, proves }) => proves === true && Object.hasOwn(approved, name));
}

/** Nobody need look: that takes tests that were seen, and that speak for the tree. */
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

/** In a word for reports: a command that there is not never counts as passed. */
export function wordFor(evidence: Pick<Evidence, "checks">, name: string | undefined): string {
  const check = evidence.checks.find((each) => each.name === name);
  if (name === undefined || !check) return NOT_AVAILABLE;
  return WORDS[check.outcome];
}
