import { selectGuardedPaths } from "../guard/guarded-path.ts";
import { isSource } from "./source-path.ts";

/**
 * Finds removed lines of the old text that state expectations: assertions, and the output of an example in a docstring.
 * In a text with both tests and code, only these show whether the change affected the tests.
 */
export function findLostExpectations(before: string, after: string): readonly string[] {
  const kept = new Set(after.split("\n").map((line) => line.trim()));
  return extractExpectations(before).filter((line) => !kept.has(line));
}

const ASSERTS = /\b(?:assert|expect|should|require|verify)\w*\b|\bt\.\w+\(/;
const EXAMPLE = /^(?:>>>|\.\.\.)(?: |$)/;

function extractExpectations(text: string): readonly string[] {
  const found: string[] = [];
  let isShown = false;
  for (const line of text.split("\n").map((each) => each.trim())) {
    const isExample = EXAMPLE.test(line);
    // The lines after an example, up to a blank line, are its expected output.
    if (isExample || (isShown && line !== "") || ASSERTS.test(line)) found.push(line);
    isShown = isExample || (isShown && line !== "");
  }
  return found;
}

/**
 * Returns whether the file may contain expectations: a table of cases, an expected output, a style sheet, settings.
 * True for everything that is neither a source nor quiet.
 */
export function isData(path: string): boolean {
  return !isSource(path) && !isQuiet(path);
}

/** Files for people, package managers or a build server: data only if a test reads them too. */
export function isQuiet(path: string): boolean {
  return isProse(path) || LOCK.test(path) || METADATA.test(path) || selectGuardedPaths([path], []).length > 0;
}

export function isProse(path: string): boolean {
  return PROSE.test(path);
}

/** Returns whether the file is a source beside the product, which tests may use as well as people. */
export function isTool(path: string): boolean {
  return /^(?:tools?|scripts?|dev|support|hack|examples?)\//.test(path);
}

const PROSE =
  /\.(?:md|mdx|markdown|rst|adoc)$|(?:^|\/)(?:README|LICEN[CS]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|CONTRIBUTING|CODEOWNERS|CHANGELOG|CHANGES|HISTORY|NEWS)(?:-[\w-]+)?(?:\.txt)?$/;

const LOCK =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb|gradle\.lockfile|(?:yarn|bun|deno|Pipfile|poetry|uv|pdm|Cargo|Gemfile|composer|mix|pubspec|Podfile|flake)\.lock|go\.(?:mod|sum)|requirements(?:[./-][\w-]+)?\.(?:txt|in))$/;

/** Read by git, editors, services or a packager, but by no test program or set-up. */
const METADATA =
  /(?:^|\/)(?:\.gitignore|\.editorconfig|\.pre-commit-config\.ya?ml|\.readthedocs\.ya?ml|\.mailmap|MANIFEST\.in)$|^\.(?:vscode|idea)\/[^/]+$|^\.github\/(?:dependabot\.yml|FUNDING\.yml|ISSUE_TEMPLATE\/[^/]+|(?:pull_request|issue)_template\.md)$/i;
