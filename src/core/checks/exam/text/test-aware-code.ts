import { subtractLines } from "../../tamper/line-tally.ts";
import { getTestLanguage, rankTestFile } from "../../tamper/test-language.ts";
import type { TextChange } from "../../tamper/text-change.ts";

export type SourceFindings = {
  /** Decided by a person. */
  readonly doubts: readonly string[];
  /** Listed in the result of the run. */
  readonly caveats: readonly string[];
};

/**
 * Finds new product lines that act on the tests or checks of the project: they detect the running test program, change
 * its assertions, or disable a check for their file. The old tests cannot detect such code, because it runs inside
 * them.
 */
export function findTestAwareCode(changes: readonly TextChange[]): SourceFindings {
  const found = changes.flatMap((change) => {
    if (!isProduct(change.path)) return [];
    const lines = subtractLines((change.after ?? "").split("\n"), (change.before ?? "").split("\n"));
    const words = change.path.endsWith("build.rs") ? [...ACTS_ON_TESTS, BUILDS_TESTS] : ACTS_ON_TESTS;
    const acts = lines.filter((line) => line.length < MOST_LINE && words.some((word) => word.test(line)));
    const equal = hasBlindEquality(change.after) && !hasBlindEquality(change.before) ? ["__eq__ returns True"] : [];
    const uncovered = lines.filter((line) => LEAVES_OUT_OF_COVERAGE.test(line));
    const off = isGenerated(change.after) ? [] : lines.filter((line) => SWITCHES_CHECK_OFF.test(line));
    return [
      ...listed(change.path, "code asks for the test program or changes what tests check with", [...acts, ...equal]),
      ...listed(change.path, "a check of the project is switched off for the file", off).map((each) => ({
        ...each,
        isCaveat: change.before === undefined || change.before === "",
      })),
      ...listed(change.path, "lines are left out of the coverage", uncovered).map((each) => ({
        ...each,
        isCaveat: true,
      })),
    ];
  });
  return {
    doubts: found.flatMap(({ isCaveat, message }) => (isCaveat ? [] : [message])),
    caveats: found.flatMap(({ isCaveat, message }) => (isCaveat ? [message] : [])),
  };
}

const MOST_LINE = 2_000;

/** Matches sources and headers that are not tests by their path. */
function isProduct(path: string): boolean {
  const language = getTestLanguage(path);
  if (/(?:^|\/)(?:tests?|testing|test-?utils?|scripts|tools|benchmarks?|examples?)\//i.test(path)) return false;
  return language ? rankTestFile(path, language) === 0 : /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm)$/.test(path);
}

const ACTS_ON_TESTS: readonly RegExp[] = [
  // Variables that only a test program sets.
  /NODE_TEST_(?:CONTEXT\b|WORKER_ID\b|["'`])|\bVITEST_(?:WORKER|POOL)_ID\b|\bJEST_WORKER_ID\b|\bPYTEST_(?:CURRENT_TEST|VERSION)\b/,
  /["'](?:_?pytest|unittest|nose)["']\s+(?:not\s+)?in\s+sys\.modules|sys\.modules(?:\.get\(|\[)\s*["'](?:_?pytest|unittest)\b/,
  /\bflag\.Lookup\(\s*"test\.|\btesting\.Testing\(\)|os\.Args\[0\][^\n]{0,60}"[^"]*test/,
  /\benv::(?:args|current_exe)\(\)[^\n]{0,200}"[^"]*\/deps\//,
  // Callers and options of the program.
  /\.stack\b[^\n]{0,80}(?:\.test\.|\.spec\.|node:test|vitest|jest)|\bexecArgv\b[^\n]{0,200}["'`][^"'`]*test/,
  /(?:inspect\.stack|sys\._getframe|traceback\.extract_stack)[^\n]{0,120}test/i,
  // Files of the tests.
  /(?:\bwriteFile(?:Sync)?|\bappendFile(?:Sync)?|\bfs::write|\bWriteFile)\([^\n]{0,120}["'`/](?:tests?|__tests__|specs?|testdata)\//,
  /\bopen\([^\n]{0,80}["'/](?:tests?|testdata)\/[^\n]{0,80},\s*["'][wa]/,
  // Assertions of tests, and their ends.
  /(?<![\w$.])(?:assert|chai|expect)(?:\.\w+)+ ?=(?![=>])|\bTestCase\.(?:assert|fail)\w* ?=(?!=)|\bassert\["\w+"\] ?=(?!=)/,
  /\b(?:void|int)\s+(?:__assert_fail|__assert_rtn|__assert|_wassert)\s*\(|^\s*#\s*define\s+(?:NDEBUG\b|assert\s*\()/,
  /process[.]on\(\s*["'](?:uncaughtException|unhandledRejection)["'],\s*(?:async\s*)?(?:\(\w*\)|\w+)\s*=>\s*\{\s*\}/,
  /\batexit\.register\(\s*os\._exit\b|\bprocess[.]on\(\s*["']exit["'][^\n]{0,80}\bexitCode\s*=\s*0/,
];

/** A build script runs before the tests are compiled. */
const BUILDS_TESTS = /["'](?:\.\/)?tests?\//;

const SWITCHES_CHECK_OFF =
  /@ts-nocheck\b|\/\*\s*(?:eslint|oxlint|stylelint)-disable\s*\*\/|biome-ignore-all\b|#\s*(?:flake8|ruff):\s*noqa\s*$|#\s*pylint:\s*(?:skip-file|disable=all)|#\s*mypy:\s*ignore-errors|#\s*pyright:\s*ignore\s*$|#!\[allow\((?:warnings|clippy::all)\)\]|\bphpstan-ignore-file\b/;

/** Lines that honest work excludes from coverage too. */
const LEAVES_OUT_OF_COVERAGE = /node:coverage (?:disable|ignore)\b|(?:c8|v8|istanbul) ignore (?:file|start)\b/;

/** `__eq__` that returns True for everything. */
function hasBlindEquality(text = ""): boolean {
  return /def __eq__\(self, \w+\)(?: -> bool)?:\s*\n?\s*return True\b|__eq__ ?= ?lambda [^:\n]*: ?True\b/.test(text);
}

function isGenerated(text = ""): boolean {
  return /\bgenerated\b|do not edit/i.test(text.slice(0, 600));
}

type FoundLines = { readonly message: string; readonly isCaveat?: boolean };

function listed(path: string, says: string, lines: readonly string[]): readonly FoundLines[] {
  if (lines.length === 0) return [];
  const [first = ""] = lines.map((line) => line.trim());
  const more = lines.length > 1 ? ` and ${lines.length - 1} more` : "";
  return [{ message: `${path}: ${says}: ${first.slice(0, MOST_SHOWN)}${more}.` }];
}

const MOST_SHOWN = 120;
