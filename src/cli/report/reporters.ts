import { resolve } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { jsonLine } from "../../core/text/json-line.ts";
import { githubReport } from "../../surfaces/reports/github.ts";
import { junitReport, type NamesByDigest } from "../../surfaces/reports/junit.ts";
import { markdownReport } from "../../surfaces/reports/markdown.ts";
import type { RunReport } from "../../surfaces/reports/run-report.ts";
import { sarifReport } from "../../surfaces/reports/sarif.ts";
import { version } from "../program.ts";

/** What a reporter may show: cleaned of secrets already. */
export type Material = { readonly report: RunReport; readonly names: NamesByDigest };

type Reporter = {
  /** What its file is called where nobody says. */
  readonly file: string;
  render(material: Material): string;
};

const REPORTERS = {
  md: { file: "report.md", render: ({ report }) => markdownReport(report).trimEnd() },
  json: { file: "report.json", render: ({ report }) => jsonLine(report) },
  junit: { file: "junit.xml", render: ({ report, names }) => junitReport(report, names).trimEnd() },
  sarif: { file: "report.sarif", render: ({ report }) => JSON.stringify(sarifReport(report, version()), null, 2) },
  // Its annotations are no part of the file: they are for the runner alone.
  github: { file: "summary.md", render: ({ report }) => githubReport(report).summary.trimEnd() },
} as const satisfies Readonly<Record<string, Reporter>>;

export type ReporterName = keyof typeof REPORTERS;
export const reporter = (name: ReporterName): Reporter => REPORTERS[name];

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

const isReporter = (name: string): name is ReporterName => Object.hasOwn(REPORTERS, name);
