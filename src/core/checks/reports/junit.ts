import { collectTests, type NamedTest } from "./named-tests.ts";
import type { End, Reading } from "./tally.ts";

/**
 * Reads the test cases of a JUnit report in one pass over its tags. Nothing is expanded or resolved; comments, CDATA,
 * instructions and declarations are skipped.
 */
export function readJUnit(text: string, tops: readonly string[] = []): Reading | undefined {
  const tests: NamedTest[] = [];
  let suites = 0;
  let end: End | undefined;
  let body = "";
  for (const tag of parseTags(text)) {
    if (tag.name === "testsuite" || tag.name === "testsuites") suites += 1;
    if (tag.name !== "testcase") {
      end = combineEnds(end, tag.name);
      continue;
    }
    if (end) tests.push(toTestCase(body, end));
    if (tag.empty) tests.push(toTestCase(tag.body, "passed"));
    end = tag.closes || tag.empty ? undefined : "passed";
    body = tag.body;
  }
  return suites > 0 ? collectTests(tests, tops) : undefined;
}

const ATTRIBUTE = /\s(file|classname|name)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function toTestCase(body: string, end: End): NamedTest {
  const said = new Map<string, string>();
  for (const [, name = "", double, single] of body.matchAll(ATTRIBUTE))
    said.set(name, decodeEntities(double ?? single ?? ""));
  const path = [said.get("classname") ?? "", said.get("name") ?? ""];
  return { file: said.get("file"), path, end };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function decodeEntities(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_all, name: string) => ENTITIES[name] ?? "");
}

/** A failure overrides a skip, also if a retry is recorded beside it. */
function combineEnds(now: End | undefined, name: string): End | undefined {
  if (now === undefined) return undefined;
  if (name === "failure" || name === "error") return "failed";
  return name === "skipped" && now === "passed" ? "skipped" : now;
}

type XmlTag = { readonly name: string; readonly body: string; readonly closes: boolean; readonly empty: boolean };

/** Sections without tags, with their terminators. */
const PASSED_OVER = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!", ">"],
] as const;

function* parseTags(text: string): Generator<XmlTag> {
  let at = text.indexOf("<");
  while (at >= 0) {
    const over = PASSED_OVER.find(([start]) => text.startsWith(start, at));
    const end = over ? text.indexOf(over[1], at + over[0].length) : findTagEnd(text, at);
    if (end < 0) return;
    if (!over) yield tagOf(text.slice(at + 1, end));
    at = text.indexOf("<", end);
  }
}

/** A value may contain `>`. */
function findTagEnd(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return at;
  }
  return -1;
}

function tagOf(body: string): XmlTag {
  const closes = body.startsWith("/");
  const [name = ""] = body.slice(closes ? 1 : 0).split(/[\s/]/, 1);
  return { name, body, closes, empty: body.endsWith("/") };
}
