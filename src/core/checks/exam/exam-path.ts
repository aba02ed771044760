import { getTestLanguage } from "../tamper/test-language.ts";

/**
 * Classification of a path by itself. `exam` and `code` are certain. `mixed` contains both. The others depend on the
 * users of the file: `likely` is exam unless code uses it, `support` is code unless only the exam uses it.
 */
export type PathKind = "exam" | "likely" | "mixed" | "support" | "code";

export function classifyPath(path: string): PathKind {
  if (SETTINGS.test(path) || STARTS.test(path) || SHADOWS.test(path) || SNAPSHOT.test(path)) return "exam";
  if (isNamed(path)) return WEAK.test(path) ? "likely" : "exam";
  // A file or link at the folder's place is classified like the folder; a manifest inside belongs to a fixture.
  if (FOLDER.test(`${path}/`) || PROJECT.test(`${path}/`)) return "likely";
  if ((MIXED.test(path) && !INSTALLED.test(path)) || path.endsWith(".rs")) return "mixed";
  return SUPPORT.test(path) ? "support" : "code";
}

/**
 * Returns whether the file is in a folder for tests only, or configures test programs. No product is built from it. Go
 * excludes its tests.
 */
export function isTestsOwn(path: string): boolean {
  return (
    path.endsWith("_test.go") ||
    FOLDER.test(`${path}/`) ||
    PROJECT.test(`${path}/`) ||
    SETTINGS.test(path) ||
    SNAPSHOT.test(path)
  );
}

/**
 * Returns whether the folder's name is almost always used for tests; `features/` and `src/spec/` are often product
 * code.
 */
export function isAmongTests(path: string): boolean {
  return FIRM.test(path) || PROJECT.test(path);
}

/**
 * Returns whether an agent that only writes tests may write the file: files with test names, files among tests, and
 * set-up that a runner loads for them. Files that start tests or configure their runner belong to the project.
 */
export function isTestWork(path: string): boolean {
  if (STARTS.test(path) || SHADOWS.test(path)) return false;
  if (FIRM.test(path) || PROJECT.test(path) || SNAPSHOT.test(path)) return true;
  if (SETTINGS.test(path)) return SET_UP.test(path.slice(path.lastIndexOf("/") + 1));
  // `src/spec/` is often product code, `src/main/` always.
  if (/(?:^|\/)src\/(?:.*\/)?specs?\/|(?:^|\/)src\/main\//.test(path)) return false;
  return isNamed(path) || FOLDER.test(path);
}

/**
 * Returns whether the file is written for a test program, wherever it is located. A product may use `assert`, but
 * hardly a `*testing.T`.
 */
export function isTestHelper(path: string, text: string): boolean {
  if (path.endsWith(".go")) return /\btesting\.(?:T|TB)\b/.test(text);
  if (path.endsWith(".py"))
    return /^(?:import pytest|from pytest import|from unittest import|import unittest)\b/m.test(text);
  return /\.[cm]?[jt]sx?$/.test(path) && /\bfrom ["'](?:vitest|@jest\/globals|chai|node:test|bun:test)["']/.test(text);
}

/** Returns whether the file configures test programs, or is loaded by them automatically. */
export function isTestSettings(path: string): boolean {
  return SETTINGS.test(path);
}

/**
 * Returns whether settings may belong to the product too, judged by their location: `.npmrc`, `vite.config.js`,
 * `src/tap.config.js`. Set-up that a test program loads is a source of the tests if it is located among them or at the
 * top.
 */
export function isSharedSettings(path: string): boolean {
  if (!SETTINGS.test(path) || FOLDER.test(`${path}/`) || PROJECT.test(`${path}/`)) return false;
  return path.includes("/") || !SET_UP.test(path);
}

const SET_UP = /^(?:conftest\.py|(?:test|spec|rails)_helper\.rb|.*\bset-?up.*)$/i;

const MIXED =
  /(?:^|\/)(?:package\.json|deno\.jsonc?|project\.json|composer\.json|pyproject\.toml|setup\.cfg|bunfig\.toml|Cargo\.toml|pnpm-workspace\.yaml|pom\.xml|build\.gradle(?:\.kts)?|CMakeLists\.txt)$/;

/** A manifest there belongs to its package, and starts no test of the project. */
const INSTALLED = /(?:^|\/)(?:node_modules|bower_components)\//;

/**
 * Settings that can treat tests differently from the product belong to the exam, even if the product is built with them
 * too (vite, babel, swc, npm's own settings: `script-shell` alone can make every test command succeed).
 */
const SETTINGS = new RegExp(
  [
    /(?:jest|vitest|vite|karma|playwright|cypress|ava|wdio|mocha|tap|c8|nyc|jasmine|nightwatch|codecept|protractor|web-test-runner|testem|babel)(?:[.-][\w-]+)*\.(?:config|conf|workspace|projects|preset|setup)(?:\.[\w-]+)*\.[\w]+/,
    /(?:jest|vitest)[.-]setup(?:[.-]\w+)?\.[cm]?[jt]sx?|setup-?[Tt]ests?\.[cm]?[jt]sx?|karma\.conf\.[cm]?[jt]s|cypress\.json/,
    /\.(?:mocharc|nycrc|c8rc|taprc|babelrc|swcrc|rspec|coveragerc|istanbul|npmrc|yarnrc|pnpmfile)(?:\.\w+)?|\.env\.test(?:\.\w+)?/,
    /pytest\.(?:ini|toml)|\.pytest\.(?:ini|toml)|tox\.(?:ini|toml)|noxfile\.py|conftest\.py|nose\.cfg|phpunit\.xml[\w.]*|(?:test|spec|rails)_helper\.rb/,
    /nextest\.toml|\.cargo\/config(?:\.toml)?|testng\.xml|junit-platform\.properties|\.runsettings|tsconfig\.(?:test|tests|spec|vitest|jest)\.json/,
  ]
    .map(({ source }) => source)
    .map((source, at) => `${at === 0 ? "(?:^|\\/)(?:" : ""}${source}`)
    .join("|")
    .concat(")$"),
);

/** Files that start tests; which of their lines do so depends on the rest. */
const STARTS =
  /(?:^|\/)(?:(?:GNU)?[Mm]akefile|[^/]+\.mk|[Jj]ustfile|Taskfile\.ya?ml|Rakefile|[Gg]runtfile\.[cm]?[jt]s|gulpfile\.[cm]?[jt]s|turbo\.json|nx\.json|wireit\.json|(?:run[-_]?)?tests?\.(?:sh|bash|py|ps1|bat|cmd))$/;

/** Loaded in place of a test program, or before it, because of their location. */
const SHADOWS =
  /(?:^|\/)__pycache__(?:\/|$)|(?:^|\/)(?:sitecustomize\.py|[^/]+\.py[co]|usercustomize\.py|[^/]+\.pth)$|^(?:src\/)?(?:_?pytest|unittest|pluggy)(?:\.py$|\/)|(?:^|\/)node_modules\/(?:\.bin|vitest|@vitest|jest|jest-[\w-]+|@jest|mocha|ava|tap|chai|expect|playwright|@playwright|cypress|karma|c8|nyc)\/|^patches\/(?:@?vitest|@?jest|mocha|ava|tap|chai|expect|@?playwright)/;

const SNAPSHOT =
  /(?:^|\/)(?:__\w*snapshots__|__screenshots__|tap-snapshots|__mocks__|__fixtures__|testdata|test-data)(?:\/|$)|\.(?:snap|snapshot|ambr|golden|storyshot|feature)$|\.(?:approved|golden|expected)\.\w+$|\.test-d\.[cm]?tsx?$/;

/**
 * In every folder, because runners search most of those that rarely contain tests, and a file may be put there for that
 * reason.
 */
function isNamed(path: string): boolean {
  return getTestLanguage(path)?.named.test(path) === true || OTHERS_NAMED.test(path) || RUNNERS_OWN.test(path);
}

/** `price_test.cpp`, `test_price.c`: the convention of most languages without their own pattern. */
const OTHERS_NAMED =
  /(?:^|\/)(?:[^/]*_(?:test|spec)s?\.(?:kts?|scala|groovy|java|cs|php)|(?:test_[^/]*|[^/]*_(?:test|spec)s?)\.(?:c|cc|cpp|cxx|cu|h|hh|hpp|hxx|mm?|swift|exs?|dart|lua|zig|nim|jl|l?hs|mli?|clj[cs]?|erl|elm|fsx?|[rR]|p[lm]|t|sh|bash|zsh|fish|ps1|cr|d|f90|svh?|vhdl?|pas|sol|el|vim|coffee))$/;
const RUNNERS_OWN = /\.bats$|_SUITE\.erl$|Tests?\.swift$|Spec\.hs$|(?:^|\/)t\/[^/]+\.t$/;

/** Used by only some runners, and also for code: `test-report.ts`, `src/main/…/SpeedTest.java`. */
const WEAK =
  /(?:^|\/)(?:tests?|test[-_][^/]*|[^/]*[-_](?:test|spec|cy)s?)\.[cm]?[jt]sx?$|(?:^|\/)tests?\.py$|(?:^|\/)src\/main\//;

const FOLDER = /(?:^|\/)(?:tests?|specs?|e2e|__tests__|cypress)\/|^(?:integration|features)\//i;
const FIRM = /(?:^|\/)(?:tests?|__tests__|e2e|cypress)\/|^specs?\//i;
/** `Shop.Tests`, `ShopTests`: a test project beside the project it tests. */
const PROJECT = /(?:^|\/)(?:[\w-]+[._-][Tt]ests?|[A-Z]\w*[a-z]Tests)\//;

/** Words in a path that indicate its purpose; whether only tests use it is checked as well. */
const SUPPORT =
  /(?:^|[/._-])(?:tests?|testing|test-?(?:utils?|lib|kit|helpers?|support)|specs?|fixtures?|mocks?|stubs?|fakes?|harness|golden|suite)(?:[/._-]|$)/i;
