import type { Finding } from "../../authoring/finding.ts";
import { maskComments, type Syntax } from "./code-mask.ts";
import { createTamperFinding, type TextChange } from "./text-change.ts";

const SETTINGS =
  /(?:^|\/)(?:(?:jest|vitest|vite|karma|playwright|cypress|ava|wdio)\.(?:config|conf|workspace|setup)\.[\w.]+|package\.json|\.mocharc[\w.]*|\.nycrc[\w.]*|\.c8rc[\w.]*|\.taprc|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|\.coveragerc|conftest\.py|phpunit\.xml[\w.]*|pom\.xml|build\.gradle(?:\.kts)?|(?:GNU)?[Mm]akefile)$/;

export function isSettings(path: string): boolean {
  return SETTINGS.test(path);
}

/** Finds test program settings that prove less than before. All files count together, so that settings may move. */
export function findRelaxedSettings(changes: readonly TextChange[]): readonly Finding[] {
  const files = changes.filter(({ path }) => isSettings(path)).map(readSettings);
  return files.flatMap(({ path, before, after }) => {
    const elsewhere = files.filter((file) => file.path !== path).map((file) => file.after);
    const what = findSwitch(before, after) ?? findLoweredThreshold(before, after, elsewhere);
    return what ? [createTamperFinding(path, `relaxes the tests' settings: ${what}`)] : [];
  });
}

function readSettings({ path, before, after }: TextChange): { path: string; before: string; after: string } {
  const syntax = getSettingsSyntax(path);
  return { path, before: maskComments(before ?? "", syntax), after: maskComments(after ?? "", syntax) };
}

const HASH: Syntax = { line: ["# ", "#\n"], quotes: "\"'" };
const SLASH: Syntax = { line: ["//"], block: ["/*", "*/"], quotes: "\"'", long: ["`"] };
const MARKUP: Syntax = { line: [], block: ["<!--", "-->"], quotes: "" };

function getSettingsSyntax(path: string): Syntax {
  if (/\.(?:xml|dist)$/.test(path)) return MARKUP;
  return /\.(?:[cm]?[jt]sx?|json|gradle|kts)$|rc$/.test(path) ? SLASH : HASH;
}

/** Each of them accepts something that failed before. */
const SWITCHES: readonly (readonly [RegExp, string])[] = [
  [/\bpassWithNoTests["']?\s?[:=]\s?true\b/g, "no tests at all would pass"],
  [/\bdangerouslyIgnoreUnhandledErrors["']?\s?:\s?true\b/g, "errors outside of tests are ignored"],
  [/\ballowOnly["']?\s?:\s?true\b/g, "focus marks are allowed"],
  [/\bignore_(?:errors|outcome)\s?=\s?[Tt]rue\b/g, "failures are ignored"],
  [/\b(?:testFailureIgnore|skipTests|maven\.test\.skip)>\s?true\b/g, "failed or missing tests pass"],
  [/\bignoreFailures\s?=\s?true\b|\bsetIgnoreFailures\(true\)/g, "failures are ignored"],
  [/--(?:deselect|ignore|ignore-glob)[= ]/g, "tests are left out"],
  [/-[km]\s?["']not /g, "tests are left out"],
  [/--(?:passWithNoTests|exit-zero)\b/g, "nothing to show would pass"],
  [/\b(?:testPathIgnorePatterns|testIgnore|grepInvert|collect_ignore(?:_glob)?)\b/g, "tests are left out"],
];

function findSwitch(before: string, after: string): string | undefined {
  if (countExcluded(after) > countExcluded(before)) return "a test file is excluded";
  return SWITCHES.find(([pattern]) => (after.match(pattern)?.length ?? 0) > (before.match(pattern)?.length ?? 0))?.[1];
}

const EXCLUDE = /\bexclude["']?\s?[:=]\s?\[[^\]]{0,1000}\]/g;
/** A file, not a pattern: excluding all tests from a coverage report is common. */
const TEST_FILE = /["'](?:[^"'\n]{0,200}\/)?[^"'\n/*]{1,100}[._](?:test|spec)\.[cm]?[jt]sx?["']/g;

function countExcluded(text: string): number {
  const lists = text.match(EXCLUDE) ?? [];
  return lists.join("\n").match(TEST_FILE)?.length ?? 0;
}

const THRESHOLD =
  /\b(lines|branches|functions|statements|fail[_-]under|cov-fail-under|minimum_coverage|minimum)["']?\s?[:=> ]\s?["']?(\d{1,9}(?:\.\d{1,9})?)/g;

/** Finds a threshold that was lowered or removed, unless another file has it now. */
function findLoweredThreshold(before: string, after: string, elsewhere: readonly string[]): string | undefined {
  const now = parseThresholds(after);
  const moved = parseThresholds(elsewhere.join("\n"));
  for (const [name, values] of parseThresholds(before)) {
    const left = now.get(name) ?? moved.get(name) ?? [];
    const fell = values.find((value, index) => (left[index] ?? -1) < value);
    if (fell !== undefined) return `the threshold ${name} of ${fell} was lowered or removed`;
  }
  return undefined;
}

/** Highest first: an additional, lower threshold for a folder lowers nothing. */
function parseThresholds(text: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [, name = "", value] of text.matchAll(THRESHOLD)) {
    const values = found.get(name);
    if (values) values.push(Number(value));
    else found.set(name, [Number(value)]);
  }
  for (const values of found.values()) values.sort((a, b) => b - a);
  return found;
}
