import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_PROGRAMS } from "../../src/drivers/index.ts";
import { casesOfSuites, ROOT, withAdded } from "./cases.ts";
import { pageOf } from "./page.ts";
import { problemsOf } from "./problems.ts";
import { abilitiesOf, programsOfSuite } from "./programs.ts";
import { readResults } from "./results.ts";

/** The output file of `npm run test:agents`. */
const REPORT = "node_modules/.cache/signalbox/agents.json";
const PAGE = "bench/results/compatibility.md";

const USAGE = `npm run compatibility [-- FILE]    write ${PAGE} from the results of \`npm run test:agents\`, or from FILE
npm run compatibility -- --added   name the cases that are newer than the page's run`;

const [asked] = process.argv.slice(2);
if (asked === "--help") console.log(USAGE);
else if (asked === "--added") addNewCases();
else process.exitCode = await main(asked ?? join(ROOT, REPORT));

function addNewCases(): void {
  const file = join(ROOT, PAGE);
  writeFileSync(file, withAdded(readFileSync(file, "utf8"), casesOfSuites()));
}

async function main(report: string): Promise<number> {
  if (!existsSync(report)) {
    console.log(`There is no report at ${report}: run \`npm run test:agents\` first.`);
    return 1;
  }
  const results = readResults(readFileSync(report, "utf8"));
  const programs = await programsOfSuite();
  const problems = problemsOf(results, programs);
  for (const problem of problems) console.log(`✗ ${problem}`);
  if (problems.length > 0) return 1;
  const strangers = AGENT_PROGRAMS.filter(({ program }) => !programs.some(({ name }) => name === program));
  const untried = strangers.map(async ({ program: name }) => ({ name, can: await abilitiesOf(name) }));
  const where = `${process.platform} ${process.arch}, Node ${process.versions.node}`;
  writeFileSync(join(ROOT, PAGE), pageOf({ programs, untried: await Promise.all(untried), results, where }));
  console.log(`${PAGE}: ${programs.map(({ name, version }) => `${name} ${version}`).join(", ")}`);
  return 0;
}
