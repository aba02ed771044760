import { z } from "zod";
import type { NamedTest } from "./named-tests.ts";

/** Test programs that support our reporters. */
export const Runner = z.enum(["vitest", "jest", "mocha", "ava", "node:test", "pytest", "unittest", "go"]);
export type Runner = z.infer<typeof Runner>;

export type RequestedReport = { readonly runner: Runner; readonly cwd: string; readonly tests: readonly NamedTest[] };
export type ReadProblem = { readonly problem: string };

const Begun = z.object({ report: z.literal(1), runner: Runner, cwd: z.string() });
const Uncollected = z
  .object({ file: z.string(), end: z.literal("uncollected") })
  .transform((test): NamedTest => ({ ...test, path: [] }));
const Test = z.object({
  file: z.nullish(z.string()).transform((file) => file ?? undefined),
  path: z.array(z.string()),
  end: z.enum(["passed", "failed", "skipped"]),
});
const Line = z.union([Test, Uncollected]);
const FINISHED = /^\{"finished": ?true\}$/;

/**
 * Parses the file of one of our reporters: a start line, one line per test, an end line. Without its end the program
 * broke off and there is no report. Content after the end is invalid too.
 */
export function readRequestedReport(text: string): RequestedReport | ReadProblem {
  const [first = "", ...lines] = text.split("\n");
  const begun = Begun.safeParse(parseLine(first)).data;
  if (!begun) return { problem: "a file that is not a report was written beside the reports" };
  const end = lines.findIndex((line) => FINISHED.test(line));
  if (end < 0) return { problem: `${begun.runner} started a report and did not finish it` };
  if (lines.slice(end + 1).some((line) => line !== ""))
    return { problem: `something wrote into ${begun.runner}'s report` };
  const tests: NamedTest[] = [];
  for (const line of lines.slice(0, end)) {
    const test = Line.safeParse(parseLine(line)).data;
    if (!test) return { problem: `a line of ${begun.runner}'s report cannot be read` };
    tests.push(test);
  }
  return { runner: begun.runner, cwd: begun.cwd, tests };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
