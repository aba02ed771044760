import { languageOf } from "../test-language.ts";

/**
 * Lines of the old text that say what is right, and are gone: assertions, and what an example in a docstring prints.
 * Where tests and code share a text, only these tell whether the change has touched the tests.
 */
export function lostExpectations(before: string, after: string): readonly string[] {
  const kept = new Set(after.split("\n").map((line) => line.trim()));
  return expectations(before).filter((line) => !kept.has(line));
}

const ASSERTS = /\b(?:assert|expect|should|require|verify)\w*\b|\bt\.\w+\(/;
const EXAMPLE = /^(?:>>>|\.\.\.)(?: |$)/;

function expectations(text: string): readonly string[] {
  const found: string[] = [];
  let isShown = false;
  for (const line of text.split("\n").map((each) => each.trim())) {
    const isExample = EXAMPLE.test(line);
    // What follows an example, up to a blank line, is what it must print.
    if (isExample || (isShown && line !== "") || ASSERTS.test(line)) found.push(line);
    isShown = isExample || (isShown && line !== "");
  }
  return found;
}

/** Neither a source nor something that only people read: a table of cases, an expected output, a schema. */
export function isData(path: string): boolean {
  return languageOf(path) === undefined && !READ.test(path);
}

/** A source beside the product, which tests may use as well as people. */
export function isTool(path: string): boolean {
  return /^(?:tools?|scripts?|dev|support|hack|examples?)\//.test(path);
}

const READ =
  /\.(?:md|mdx|rst|adoc|lock|svg|png|jpe?g|gif|ico|css|scss|html?)$|(?:^|\/)(?:LICEN[CS]E|NOTICE|AUTHORS|CODEOWNERS|CHANGELOG|HISTORY)[^/]*$|(?:^|\/)(?:package-lock|npm-shrinkwrap|composer\.lock|go\.(?:mod|sum)|requirements)[\w.-]*$|(?:^|\/)\.[^/]+$|^(?:docs?|\.github|\.signalbox|prompts|plans)\//;
