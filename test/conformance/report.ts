import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { ROOT, taggedFiles } from "./sources.ts";

/** The reports that `npm test` and `npm run test:long` write. */
export const REPORT = "node_modules/.cache/signalbox/tests.json";
export const LONG_REPORT = "node_modules/.cache/signalbox/long-tests.json";
/** Report of this tool itself, in its own file so that a part is never taken for the whole. */
const OWN_REPORT = "node_modules/.cache/signalbox/tagged-tests.json";

const TAG = /\[([AKRPLCTU]-\d{2})\]/g;

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), title: z.string(), status: z.string() })),
    }),
  ),
});

/** `skipped`: by its own condition, such as a sandbox that this machine lacks. */
export type TestOutcome = {
  readonly file: string;
  readonly title: string;
  readonly outcome: "passed" | "failed" | "skipped";
};
/** Tests that carry a rule's id, keyed by that id. */
export type Tests = ReadonlyMap<string, readonly TestOutcome[]>;

/** Reads the tagged tests of all these reports. */
export function readReports(texts: readonly string[], root: string): Tests {
  const tests = new Map<string, TestOutcome[]>();
  for (const { name, assertionResults } of texts.flatMap((text) => Report.parse(JSON.parse(text)).testResults)) {
    const file = toRelativePath(root, name);
    for (const { fullName, title, status } of assertionResults) {
      // If the id is in the title of a group, the test's own title is incomplete.
      const told = idsIn(title).size > 0 ? title : fullName;
      const tested = { file, title: told.replace(TAG, "").trim(), outcome: toOutcome(status) };
      for (const id of idsIn(fullName)) tests.set(id, [...(tests.get(id) ?? []), tested]);
    }
  }
  for (const list of tests.values()) list.sort(compareByLocation);
  return tests;
}

/** Returns a file's path below the root. A report of another clone would put that clone's paths into the page. */
function toRelativePath(root: string, name: string): string {
  const file = relative(root, name);
  if (!file.startsWith("..")) return file;
  throw new Error(`The report is of ${name}, which is not in ${root}: run \`npm test\` here first.`);
}

const toOutcome = (status: string): TestOutcome["outcome"] =>
  status === "passed" || status === "failed" ? status : "skipped";

export const idsIn = (title: string): ReadonlySet<string> =>
  new Set([...title.matchAll(TAG)].map((match) => match[1] ?? ""));

/** Runs only the tests that carry an id. */
export function runTagged(): Tests {
  const out = join(ROOT, OWN_REPORT);
  mkdirSync(dirname(out), { recursive: true });
  const vitest = join(ROOT, "node_modules/.bin/vitest");
  const reporters = ["--silent", "--reporter=json", `--outputFile.json=${out}`];
  const args = ["run", ...taggedFiles(ROOT), "-t", String.raw`\[[AKRPLCTU]-\d{2}\]`, ...reporters];
  console.log("Running the tests that carry a rule's id: some minutes, because engines are killed in them.");
  spawnSync(vitest, args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  return readReports([readFileSync(out, "utf8")], ROOT);
}

/** Tests of a file run in any order, and the page must not depend on it. */
const compareByLocation = (a: TestOutcome, b: TestOutcome): number =>
  formatLocation(a) < formatLocation(b) ? -1 : formatLocation(a) > formatLocation(b) ? 1 : 0;
const formatLocation = ({ file, title }: TestOutcome): string => `${file}\n${title}`;
