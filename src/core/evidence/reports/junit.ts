import type { Tally } from "./tally.ts";

/**
 * Counts the test cases of a JUnit report in one walk over its tags. Nothing is expanded or looked up:
 * comments, CDATA, instructions and declarations are passed over.
 */
export function readJUnit(text: string): Tally | undefined {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  let suites = 0;
  let current: keyof Tally | undefined;
  for (const tag of tagsOf(text)) {
    if (tag.name === "testsuite" || tag.name === "testsuites") suites += 1;
    if (tag.name !== "testcase") {
      current = worse(current, tag.name);
      continue;
    }
    if (current) tally[current] += 1;
    if (tag.empty) tally.passed += 1;
    current = tag.closes || tag.empty ? undefined : "passed";
  }
  return suites > 0 ? tally : undefined;
}

/** A failure outweighs a skip, also when a retry is noted beside it. */
function worse(now: keyof Tally | undefined, name: string): keyof Tally | undefined {
  if (now === undefined) return undefined;
  if (name === "failure" || name === "error") return "failed";
  return name === "skipped" && now === "passed" ? "skipped" : now;
}

type Tag = { readonly name: string; readonly closes: boolean; readonly empty: boolean };

/** What has no tag of its own, and how it ends. */
const PASSED_OVER = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!", ">"],
] as const;

function* tagsOf(text: string): Generator<Tag> {
  let at = text.indexOf("<");
  while (at >= 0) {
    const over = PASSED_OVER.find(([start]) => text.startsWith(start, at));
    const end = over ? text.indexOf(over[1], at + over[0].length) : tagEnd(text, at);
    if (end < 0) return;
    if (!over) yield tagOf(text.slice(at + 1, end));
    at = text.indexOf("<", end);
  }
}

/** A value may hold a `>`. */
function tagEnd(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return at;
  }
  return -1;
}

function tagOf(body: string): Tag {
  const closes = body.startsWith("/");
  const [name = ""] = body.slice(closes ? 1 : 0).split(/[\s/]/, 1);
  return { name, closes, empty: body.endsWith("/") };
}
