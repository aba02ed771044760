import type { Mutants } from "../breaks/break.ts";
import type { Book } from "./books.ts";
import { needsBreak } from "./problems.ts";
import type { UserPromise } from "./promises.ts";
import type { TestOutcome, Tests } from "./report.ts";
import type { KeptRule } from "./rule-tags.ts";

const HEAD = `# Conformance

Written by \`npm run conformance\`. For each rule: the declaration that enforces it and the tests that check it.
*Break*: \`test/breaks\` has a change of a line or two that disables the rule. \`npm run conformance -- --break all\`
requires that the tests of each rule fail with its break. Rules of the kind *code* have no single line to remove.`;

/** Limit per rule and file: a table of cases would fill a screen. */
const MOST_TITLES = 8;

/** Renders every rule with its tests. The same rules, tests and breaks give the same bytes. */
export function renderPage(
  books: readonly Book[],
  promises: readonly UserPromise[],
  tests: Tests,
  mutants: Mutants,
): string {
  const sections = books.map((book) => renderSection(book, tests, mutants));
  return [HEAD, ...sections, renderPromises(promises, tests), ""].join("\n\n");
}

/** Renders the counts for the documentation. Counts of tests are left out: they change with every test. */
export function renderSummary(
  books: readonly Book[],
  promises: readonly UserPromise[],
  tests: Tests,
  mutants: Mutants,
): string {
  const rows = books.map(({ pipeline, ids, rules }) => {
    const tested = rules.filter(({ id }) => tests.has(id)).length;
    const breakable = rules.filter(needsBreak).length;
    const broken = rules.filter(({ id }) => mutants[id]).length;
    return `| ${pipeline} | ${ids.length} | ${tested} | ${breakable} | ${broken} |`;
  });
  const kept = promises.filter(({ id }) => tests.has(id)).length;
  const head = "| pipeline | rules | with tests | gates, policies, declarations | breaks |\n|---|---|---|---|---|";
  return [head, ...rows, `| README | ${promises.length} | ${kept} | – | – |`].join("\n");
}

function renderSection({ pipeline, rules }: Book, tests: Tests, mutants: Mutants): string {
  const title = `## ${pipeline.slice(0, 1).toUpperCase()}${pipeline.slice(1)}`;
  const head = "| id | rule | kind | enforced by | tests | break |\n|---|---|---|---|---|---|";
  return [`${title}\n`, head, ...rules.map((rule) => renderRow(rule, tests, mutants))].join("\n");
}

function renderPromises(promises: readonly UserPromise[], tests: Tests): string {
  const head = "## The README\n\n| id | promise | tests |\n|---|---|---|";
  const rows = promises.map(
    ({ id, text }) => `| ${id} | ${escapeCell(text)} | ${renderTestsCell(tests.get(id) ?? [])} |`,
  );
  return [head, ...rows].join("\n");
}

function renderRow({ id, rule, kind, by }: KeptRule, tests: Tests, mutants: Mutants): string {
  const [path = "", name = ""] = by.split("#");
  const enforced = `[${path}](../src/${path}) \`${name}\``;
  const tested = renderTestsCell(tests.get(id) ?? []);
  return `| ${[id, escapeCell(rule), kind, enforced, tested, mutants[id] ? "yes" : "no"].join(" | ")} |`;
}

function renderTestsCell(tests: readonly TestOutcome[]): string {
  const files = Map.groupBy(tests, ({ file }) => file);
  const lines = [...files].map(([file, list]) => {
    const titles = [...new Set(list.map(({ title }) => title))];
    const more = titles.length > MOST_TITLES ? [`and ${titles.length - MOST_TITLES} more`] : [];
    return `[${file}](../${file}): ${[...titles.slice(0, MOST_TITLES).map(escapeCell), ...more].join(" · ")}`;
  });
  return lines.join("<br>");
}

/** Escapes a text for a cell, so that Markdown shows it literally and no path in a title becomes a link. */
const escapeCell = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/[\\|<>[\]*_]/g, (sign) => `\\${sign}`)
    .replaceAll("/", "&#47;");
