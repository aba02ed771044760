import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { allMutants } from "../breaks/all.ts";
import type { Mutants } from "../breaks/break.ts";
import { BOOKS, TAG_PROBLEMS } from "./books.ts";
import { runMutants } from "./break-run.ts";
import { pageOf } from "./page.ts";
import { isHeld, mutantProblems, needsBreak, ruleProblems, testProblems } from "./problems.ts";
import { REPORT, readReport, runTagged } from "./report.ts";
import { ROOT } from "./sources.ts";

const PAGE = "docs/conformance.md";
const USAGE = `npm run conformance                      run the tests that carry a rule's id, write ${PAGE}
npm run conformance -- --report [FILE]   take the results of \`npm test\` (${REPORT}) or of FILE
npm run conformance -- --check           write nothing; fail when the page is not current
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
// Tests start `node` by its name: it must be the one that runs this, also where npm did not put it first.
process.env["PATH"] = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
const mutants = await allMutants();
if (values.help) console.log(USAGE);
else process.exitCode = values.break ? await tryAll(mutants, positionals) : conform(mutants);

function conform(known: Mutants): number {
  const report = positionals[0] ?? join(ROOT, REPORT);
  if (values.report && !existsSync(report)) {
    console.log(`There is no report at ${report}: run \`npm test\` first, or leave out --report.`);
    return 1;
  }
  const tests = values.report ? readReport(readFileSync(report, "utf8"), ROOT) : runTagged();
  const problems = [
    ...TAG_PROBLEMS,
    ...BOOKS.flatMap((book) => [...ruleProblems(book), ...testProblems(book, tests)]),
    ...mutantProblems(BOOKS, known),
    ...publish(pageOf(BOOKS, tests, known)),
  ];
  for (const problem of problems) console.log(`✗ ${problem}`);
  const rules = BOOKS.flatMap(({ ids }) => ids);
  const held = rules.filter((id) => isHeld(tests.get(id) ?? []));
  console.log(`${held.length} of ${rules.length} rules are held by passing tests, ${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
}

function publish(page: string): readonly string[] {
  const file = join(ROOT, PAGE);
  if (!values.check) writeFileSync(file, page);
  return readFileSync(file, "utf8") === page
    ? []
    : [`${PAGE} is not current: run \`npm run conformance\` and commit it`];
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
