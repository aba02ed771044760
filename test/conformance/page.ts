import type { Mutants } from "../breaks/break.ts";
import type { Book } from "./books.ts";
import { needsBreak } from "./problems.ts";
import type { UserPromise } from "./promises.ts";
import type { TestOutcome, Tests } from "./report.ts";
import type { KeptRule } from "./rule-tags.ts";

const HEAD = `# Conformance

<!-- Written by \`npm run conformance\`; do not edit. -->

What each pipeline promises, the one place in the sources that keeps the promise, and the tests that hold it to it.
*Break*: a change of a line or two that takes the rule out is on file in [test/breaks](../test/breaks), and
\`npm run conformance -- --break all\` demands that the rule's tests fail with it. Rules of the kind *code* are the shape of
the program: there is no single line to take out.`;

/** Per rule and file: a table of cases is not worth a screen. */
const MOST_TITLES = 8;

/** The page, the same bytes for the same rules, tests and breaks. */
export function pageOf(
  books: readonly Book[],
  promises: readonly UserPromise[],
  tests: Tests,
  mutants: Mutants,
): string {
  const sections = books.map((book) => section(book, tests, mutants));
  return [HEAD, summary(books, tests, mutants), ...sections, promiseSection(promises, tests), ""].join("\n\n");
}

function summary(books: readonly Book[], tests: Tests, mutants: Mutants): string {
  const rows = books.map(({ pipeline, ids, rules }) => {
    const held = rules.filter(({ id }) => tests.has(id)).length;
    const count = new Set(rules.flatMap(({ id }) => tests.get(id) ?? [])).size;
    const owed = rules.filter(needsBreak).length;
    const broken = rules.filter(({ id }) => mutants[id]).length;
    return `| ${pipeline} | ${ids.length} | ${held} | ${count} | ${owed} | ${broken} |`;
  });
  const head =
    "| pipeline | rules | with tests | tests | gates, policies, declarations | breaks |\n|---|---|---|---|---|---|";
  return [head, ...rows].join("\n");
}

function section({ pipeline, rules }: Book, tests: Tests, mutants: Mutants): string {
  const title = `## ${pipeline.slice(0, 1).toUpperCase()}${pipeline.slice(1)}`;
  const head = "| id | rule | kind | enforced by | tests | break |\n|---|---|---|---|---|---|";
  return [`${title}\n`, head, ...rules.map((rule) => row(rule, tests, mutants))].join("\n");
}

function promiseSection(promises: readonly UserPromise[], tests: Tests): string {
  const head = "## The README\n\n| id | promise | tests |\n|---|---|---|";
  const rows = promises.map(({ id, text }) => `| ${id} | ${plain(text)} | ${testsCell(tests.get(id) ?? [])} |`);
  return [head, ...rows].join("\n");
}

function row({ id, rule, kind, by }: KeptRule, tests: Tests, mutants: Mutants): string {
  const [path = "", name = ""] = by.split("#");
  const enforced = `[${path}](../src/${path}) \`${name}\``;
  const tested = testsCell(tests.get(id) ?? []);
  return `| ${[id, plain(rule), kind, enforced, tested, mutants[id] ? "yes" : "no"].join(" | ")} |`;
}

function testsCell(tests: readonly TestOutcome[]): string {
  const files = Map.groupBy(tests, ({ file }) => file);
  const lines = [...files].map(([file, list]) => {
    const titles = [...new Set(list.map(({ title }) => title))];
    const more = titles.length > MOST_TITLES ? [`and ${titles.length - MOST_TITLES} more`] : [];
    return `[${file}](../${file}): ${[...titles.slice(0, MOST_TITLES).map(plain), ...more].join(" · ")}`;
  });
  return lines.join("<br>");
}

/** A text in a cell: what Markdown would read as its own is shown as it stands, and no path in a title is a link. */
const plain = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/[\\|<>[\]*_]/g, (sign) => `\\${sign}`)
    .replaceAll("/", "&#47;");
