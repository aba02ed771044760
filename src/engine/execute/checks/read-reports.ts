import { constants } from "node:fs";
import { open, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ReadProblem, RequestedReport } from "../../../core/checks/reports/requested-report.ts";
import { countRequestedReports, type TestCounts } from "../../../core/checks/reports/test-report.ts";
import { findLeftReports } from "./left-reports.ts";
import { readOnThread } from "./reading.ts";
import type { Readings } from "./readings.ts";

type ReportSources = {
  /** The folder for requested reports. */
  readonly folder: string;
  /** The output of the command, one file per stream. */
  readonly printed: readonly string[];
  /** The checkout, and the folder of it that the command ran in. */
  readonly top: string;
  readonly cwd: string;
  /** The start time of the command, by the clock of the file system. */
  readonly since: number;
  redact(text: string): string;
};

/** `problem`: a report was begun and cannot be read, so no other source may replace it. */
export type ReadReports = { readonly tests?: TestCounts; readonly problem?: string };

/** Reads the test results: from requested reports, else from reports left behind, else from the output. */
export async function readReports(at: ReportSources): Promise<ReadReports> {
  const tops = [...new Set([at.top, await realpath(at.top)])];
  const asked = await readAskedReports(at);
  if ("problem" in asked) return asked;
  const tests =
    countRequestedReports(asked.reports, tops) ?? (await countLeftReports(at, tops)) ?? (await printed(at, tops));
  return tests ? { tests } : {};
}

const MOST_REPORTS = 1000;
const MOST_BYTES = 64 * 1024 * 1024;
const PRINTED_BYTES = 8 * 1024 * 1024;

async function readAskedReports({
  folder,
  redact,
}: ReportSources): Promise<{ readonly reports: RequestedReport[] } | ReadProblem> {
  const entries = await readdir(folder).catch(() => undefined);
  if (!entries) return { problem: "the folder that reports are written to was removed" };
  const names = entries.filter((name) => name.endsWith(".jsonl")).sort();
  if (names.length > MOST_REPORTS) return { problem: `${names.length} reports were written; ${MOST_REPORTS} are read` };
  const reports: RequestedReport[] = [];
  let left = MOST_BYTES;
  for (const name of names) {
    const text = await readReportText(join(folder, name), left);
    left -= typeof text === "string" ? text.length : 0;
    const report = typeof text === "string" ? await parseAskedReport(text) : text;
    if ("problem" in report) return { problem: redact(report.problem) };
    reports.push(redactReport(report, redact));
  }
  return { reports };
}

async function parseAskedReport(text: string): Promise<RequestedReport | ReadProblem> {
  const reading = await readOnThread({ name: "askedReport", question: text, chars: text.length });
  return "answer" in reading ? reading.answer : { problem: "a report could not be read within the limits" };
}

/** Tests can write here too: links and pipes are not followed, and reading stops at the size that was checked. */
async function readReportText(file: string, most: number): Promise<string | ReadProblem> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(file, flags).catch(() => undefined);
  if (!handle) return { problem: "a report was begun and cannot be opened" };
  try {
    const info = await handle.stat();
    if (!info.isFile()) return { problem: "an entry in the report folder is not a file" };
    if (info.size > most) return { problem: `a report has ${info.size} bytes; ${MOST_BYTES} are read of all together` };
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** Redacts before names are numbered: two names that differ only in a secret are still two. */
function redactReport(report: RequestedReport, redact: (text: string) => string): RequestedReport {
  const tests = report.tests.map((test) => ({
    ...test,
    file: test.file === undefined ? undefined : redact(test.file),
    path: test.path.map(redact),
  }));
  return { ...report, tests };
}

async function countLeftReports(
  { cwd, since, redact }: ReportSources,
  tops: readonly string[],
): Promise<TestCounts | undefined> {
  const files = await findLeftReports({ cwd, since });
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  if (files.length === 0 || sizes.reduce((sum, size) => sum + size, 0) > MOST_BYTES) return undefined;
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return countTests({ text: redact(texts.join("\n")), kind: "junit", tops });
}

/** A text that exceeds the limits counts nothing. */
async function countTests(question: Parameters<Readings["testReport"]>[0]): Promise<TestCounts | undefined> {
  const reading = await readOnThread({ name: "testReport", question, chars: question.text.length });
  return "answer" in reading ? reading.answer : undefined;
}

/** Counts only complete output: half a report would look like fewer tests. */
async function printed({ printed, redact }: ReportSources, tops: readonly string[]): Promise<TestCounts | undefined> {
  for (const file of printed) {
    if ((await stat(file)).size > PRINTED_BYTES) continue;
    const tests = await countTests({ text: redact(await readFile(file, "utf8")), tops });
    if (tests) return tests;
  }
  return undefined;
}
