import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SignalboxError } from "../../core/failure/errors.ts";
import { jsonLine } from "../../core/text/json-line.ts";
import { githubReport } from "../../surfaces/reports/github.ts";
import { htmlReport } from "../../surfaces/reports/html.ts";
import { junitReport, type NamesByDigest } from "../../surfaces/reports/junit.ts";
import { markdownReport } from "../../surfaces/reports/markdown.ts";
import type { RunReport } from "../../surfaces/reports/run-report.ts";
import { sarifReport } from "../../surfaces/reports/sarif.ts";
import { version } from "../program.ts";
import type { WholeRun } from "./whole-run.ts";

/** What a reporter may show: cleaned of secrets already. */
export type Material = {
  readonly report: RunReport;
  readonly names: NamesByDigest;
  /** Read only when somebody shows it: what agents printed is the most of a run. */
  whole(): Promise<WholeRun>;
};

type Reporter = {
  /** What its file is called where nobody says. */
  readonly file: string;
  render(material: Material): string | Promise<string>;
  /** It holds a program: only what it shows was cleaned of secrets, and no letter is changed afterwards. */
  readonly program?: true;
};

const REPORTERS = {
  html: {
    file: "report.html",
    program: true,
    render: async ({ whole }) => htmlReport(await template(), await whole()).trimEnd(),
  },
  md: { file: "report.md", render: ({ report }) => markdownReport(report).trimEnd() },
  json: { file: "report.json", render: ({ report }) => jsonLine(report) },
  junit: { file: "junit.xml", render: ({ report, names }) => junitReport(report, names).trimEnd() },
  sarif: { file: "report.sarif", render: ({ report }) => JSON.stringify(sarifReport(report, version()), null, 2) },
  // Its annotations are no part of the file: they are for the runner alone.
  github: { file: "summary.md", render: ({ report }) => githubReport(report).summary.trimEnd() },
} as const satisfies Readonly<Record<string, Reporter>>;

export type ReporterName = keyof typeof REPORTERS;
export const reporter = (name: ReporterName): Reporter => REPORTERS[name];

/** The whole text, as it is written or printed. */
export async function rendered(
  name: ReporterName,
  material: Material,
  redact: (text: string) => string,
): Promise<string> {
  const { render, program } = reporter(name);
  const text = await render(material);
  return `${program ? text : redact(text)}\n`;
}

/** `junit`, or `junit=reports/junit.xml` as seen from where the command was typed. */
export type AskedReport = { readonly name: ReporterName; readonly path?: string };

export function askedReports(said: readonly string[]): readonly AskedReport[] {
  return said.map((text) => {
    const [name = "", ...rest] = text.split("=");
    if (!isReporter(name)) {
      const known = Object.keys(REPORTERS).join(", ");
      throw new SignalboxError("USAGE", `There is no reporter "${name}".`, `There are: ${known}.`);
    }
    if (rest.length === 0) return { name };
    const path = rest.join("=");
    if (path === "") throw new SignalboxError("USAGE", `--reporter ${text} names no file.`, `Write ${name}=path.`);
    return { name, path: resolve(path) };
  });
}

/** The same, for another process of ours. */
export function reporterFlags(asked: readonly AskedReport[]): readonly string[] {
  return asked.flatMap(({ name, path }) => ["--reporter", path === undefined ? name : `${name}=${path}`]);
}

/** Built from the same sources as the dashboard; in a clone by `npm run web`. */
const TEMPLATE = fileURLToPath(new URL("../../../dist/web/report.html", import.meta.url));

async function template(): Promise<string> {
  try {
    return await readFile(TEMPLATE, "utf8");
  } catch (error) {
    const message = `The page for reports is not built: ${TEMPLATE} cannot be read.`;
    throw new SignalboxError("PAGE_MISSING", message, "In a clone: npm run web. Other reporters need no page.", {
      cause: error,
    });
  }
}

const isReporter = (name: string): name is ReporterName => Object.hasOwn(REPORTERS, name);
