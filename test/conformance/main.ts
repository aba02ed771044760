import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { allMutants } from "../breaks/all.ts";
import type { Mutants } from "../breaks/break.ts";
import { BOOKS, TAG_PROBLEMS } from "./books.ts";
import { runMutants } from "./break-run.ts";
import { renderPage, renderSummary } from "./page.ts";
import { isHeld, mutantProblems, needsBreak, ruleProblems, shortTestProblems, testProblems } from "./problems.ts";
import { PROMISES, promiseProblems } from "./promises.ts";
import { LONG_REPORT, REPORT, readReports, runTagged, type Tests } from "./report.ts";
import { ROOT } from "./sources.ts";

/** Page of every rule with its tests. It is too long for the documentation, so it is not committed. */
const PAGE = "node_modules/.cache/signalbox/conformance.md";
const FIGURES = "docs/reference/figures.md";
const BLOCK = /(?<=<!-- conformance -->\n)[\s\S]*?(?=\n<!-- \/conformance -->)/;
const USAGE = `npm run conformance                      run the tests that carry a rule's id, write ${PAGE} and the summary in ${FIGURES}
npm run conformance -- --report          take the results of the last \`npm run test:all\`
npm run conformance -- --check           fail if the summary in ${FIGURES} is not current
npm run conformance -- --break ID …      take each rule out; its tests must fail
npm run conformance -- --break all       the same for every rule that has a break`;

const { values, positionals } = parseArgs({
  options: {
    report: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    break: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
// Tests start `node` by name, so PATH must point to the Node that runs this script, even if npm did not put it first.
process.env["PATH"] = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
const mutants = await allMutants();
if (values.help) console.log(USAGE);
else process.exitCode = values.break ? await tryAll(mutants, positionals) : checkConformance(mutants);

function checkConformance(known: Mutants): number {
  const tests = values.report ? readLastReports() : runTagged();
  if (!tests) return 1;
  const ids = [...BOOKS.flatMap((book) => book.ids), ...PROMISES.map(({ id }) => id)];
  const problems = [
    ...TAG_PROBLEMS,
    ...promiseProblems(PROMISES),
    ...BOOKS.flatMap((book) => [...ruleProblems(book), ...testProblems(book.rules, tests)]),
    ...testProblems(PROMISES, tests),
    ...shortTestProblems(ids, tests),
    ...mutantProblems(BOOKS, known),
    ...publish(renderPage(BOOKS, PROMISES, tests, known), renderSummary(BOOKS, PROMISES, tests, known)),
  ];
  for (const problem of problems) console.log(`✗ ${problem}`);
  const rules = BOOKS.flatMap(({ ids }) => ids);
  const held = rules.filter((id) => isHeld(tests.get(id) ?? []));
  const kept = PROMISES.filter(({ id }) => isHeld(tests.get(id) ?? []));
  console.log(
    `${held.length} of ${rules.length} rules and ${kept.length} of ${PROMISES.length} promises of the README ` +
      `are held by passing tests, ${problems.length} problems`,
  );
  return problems.length === 0 ? 0 : 1;
}

/**
 * Returns the results of the last `npm run test:all`. Undefined if a report is missing: a part must not pass for the
 * whole.
 */
function readLastReports(): Tests | undefined {
  const files = [REPORT, LONG_REPORT].map((file) => join(ROOT, file));
  const missing = files.filter((file) => !existsSync(file));
  for (const file of missing) console.log(`No report at ${file}. Run \`npm run test:all\` first, or omit --report.`);
  return missing.length > 0
    ? undefined
    : readReports(
        files.map((file) => readFileSync(file, "utf8")),
        ROOT,
      );
}

/** Writes the page and updates the summary. With --check the summary is compared instead. */
function publish(page: string, summary: string): readonly string[] {
  const file = join(ROOT, FIGURES);
  const before = readFileSync(file, "utf8");
  const after = before.replace(BLOCK, () => summary);
  mkdirSync(dirname(join(ROOT, PAGE)), { recursive: true });
  writeFileSync(join(ROOT, PAGE), page);
  if (values.check && before !== after) return [`${FIGURES} is not current: run \`npm run conformance\` and commit it`];
  writeFileSync(file, after);
  return [];
}

async function tryAll(known: Mutants, ids: readonly string[]): Promise<number> {
  const all = ids.length === 0 || ids.includes("all");
  const asked = all ? Object.keys(known).sort() : ids;
  const orders = asked.flatMap((id) => (known[id] ? [{ id, change: known[id] }] : []));
  const results = await runMutants(orders, ({ id, noticed, why, ms }) => {
    console.log(`${noticed ? "✓" : "✗"} ${id}  ${noticed ? `noticed by: ${why}` : `NOT NOTICED: ${why}`}  ${ms} ms`);
  });
  const without = BOOKS.flatMap(({ rules }) => rules).filter(({ id }) => !known[id] && (all || asked.includes(id)));
  for (const rule of without) console.log(`${needsBreak(rule) ? "✗" : "·"} ${rule.id}  ${rule.kind} without a break`);
  const noticed = results.filter((result) => result.noticed).length;
  console.log(`breaks noticed ${noticed} of ${results.length}`);
  return noticed === results.length && !without.some(needsBreak) && orders.length === asked.length ? 0 : 1;
}
