import type { CharterRule } from "../../src/pipelines/charter.ts";
import type { Breaks } from "../breaks/break.ts";
import type { Book } from "./books.ts";
import { needsBreak } from "./problems.ts";
import type { Tests } from "./report.ts";

const HEAD = `# Conformance

<!-- Written by \`npm run conformance\`; do not edit. -->

What each pipeline promises, the one place in the sources that keeps the promise, and the tests that hold it to it.
*Break*: a change of a line or two that takes the rule out is on file in [test/breaks](../test/breaks), and
\`npm run conformance -- --break all\` demands that the rule's tests fail with it. Rules of the kind *code* are the shape of
the program: there is no single line to take out.`;

/** Per rule and file: a table of cases is not worth a screen. */
const MOST_TITLES = 8;

/** The page, the same bytes for the same charters, tests and breaks. */
export function pageOf(books: readonly Book[], tests: Tests, breaks: Breaks): string {
  return [HEAD, summary(books, tests, breaks), ...books.map((book) => section(book, tests, breaks)), ""].join("\n\n");
}

function summary(books: readonly Book[], tests: Tests, breaks: Breaks): string {
  const rows = books.map(({ pipeline, ids, charter }) => {
    const held = charter.filter(({ id }) => tests.has(id)).length;
    const count = new Set(charter.flatMap(({ id }) => tests.get(id) ?? [])).size;
    const owed = charter.filter(needsBreak).length;
    const broken = charter.filter(({ id }) => breaks[id]).length;
    return `| ${pipeline} | ${ids.length} | ${held} | ${count} | ${owed} | ${broken} |`;
  });
  const head =
    "| pipeline | rules | with tests | tests | gates, policies, declarations | breaks |\n|---|---|---|---|---|---|";
  return [head, ...rows].join("\n");
}

function section({ pipeline, ids, charter }: Book, tests: Tests, breaks: Breaks): string {
  const title = `## ${pipeline.slice(0, 1).toUpperCase()}${pipeline.slice(1)}`;
  if (charter.length === 0) return `${title}\n\nNo charter yet; ${ids.length} rules are owed.`;
  const head = "| id | rule | kind | enforced by | tests | break |\n|---|---|---|---|---|---|";
  return [`${title}\n`, head, ...charter.map((rule) => row(rule, tests, breaks))].join("\n");
}

function row({ id, rule, kind, by }: CharterRule, tests: Tests, breaks: Breaks): string {
  const [path = "", name = ""] = by.split("#");
  const enforced = `[${path}](../src/${path}) \`${name}\``;
  const files = Map.groupBy(tests.get(id) ?? [], ({ file }) => file);
  const tested = [...files].map(([file, list]) => {
    const titles = [...new Set(list.map(({ title }) => title))];
    const more = titles.length > MOST_TITLES ? [`and ${titles.length - MOST_TITLES} more`] : [];
    return `[${file}](../${file}): ${[...titles.slice(0, MOST_TITLES).map(plain), ...more].join(" · ")}`;
  });
  return `| ${[id, plain(rule), kind, enforced, tested.join("<br>"), breaks[id] ? "yes" : "no"].join(" | ")} |`;
}

/** A text in a cell: what Markdown would read as its own is shown as it stands, and no path in a title is a link. */
const plain = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/[\\|<>[\]*_]/g, (sign) => `\\${sign}`)
    .replaceAll("/", "&#47;");
