import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SignalboxError } from "../../core/failure/errors.ts";
import { formatJsonLine } from "../../core/text/json-line.ts";
import { renderGithubReport } from "../../surfaces/reports/github.ts";
import { renderHtmlReport } from "../../surfaces/reports/html.ts";
import { type NamesByDigest, renderJunitReport } from "../../surfaces/reports/junit.ts";
import { renderMarkdownReport } from "../../surfaces/reports/markdown.ts";
import type { RunReport } from "../../surfaces/reports/run-report.ts";
import { renderSarifReport } from "../../surfaces/reports/sarif.ts";
import { readVersion } from "../program.ts";
import type { StandaloneReport } from "./standalone-report.ts";

/** Input of a reporter, already redacted. */
export type ReportMaterial = {
  readonly report: RunReport;
  readonly names: NamesByDigest;
  /** Loaded on demand, because agents' output is the largest part of a run. */
  whole(): Promise<StandaloneReport>;
};

type ReportFormat = {
  /** Default file name. */
  readonly file: string;
  render(material: ReportMaterial): string | Promise<string>;
  /** The output contains a program, which must not be changed by redaction; only the data in it was redacted. */
  readonly program?: true;
};

const REPORTERS = {
  html: {
    file: "report.html",
    program: true,
    render: async ({ whole }) => renderHtmlReport(await readTemplate(), await whole()).trimEnd(),
  },
  md: { file: "report.md", render: ({ report }) => renderMarkdownReport(report).trimEnd() },
  json: { file: "report.json", render: ({ report }) => formatJsonLine(report) },
  junit: { file: "junit.xml", render: ({ report, names }) => renderJunitReport(report, names).trimEnd() },
  sarif: {
    file: "report.sarif",
    render: ({ report }) => JSON.stringify(renderSarifReport(report, readVersion()), null, 2),
  },
  // Annotations are for the runner only and are not part of the file.
  github: { file: "summary.md", render: ({ report }) => renderGithubReport(report).summary.trimEnd() },
} as const satisfies Readonly<Record<string, ReportFormat>>;

export type ReporterName = keyof typeof REPORTERS;
export const getReporter = (name: ReporterName): ReportFormat => REPORTERS[name];

/** Returns the complete text as it is written or printed. */
export async function renderReport(
  name: ReporterName,
  material: ReportMaterial,
  redact: (text: string) => string,
): Promise<string> {
  const { render, program } = getReporter(name);
  const text = await render(material);
  return `${program ? text : redact(text)}\n`;
}

/** A reporter name with an optional path relative to the working directory, as in `junit=reports/junit.xml`. */
export type ReportRequest = { readonly name: ReporterName; readonly path?: string };

export function parseReports(texts: readonly string[]): readonly ReportRequest[] {
  return texts.map((text) => {
    const [name = "", ...rest] = text.split("=");
    if (!isReporter(name)) {
      const known = Object.keys(REPORTERS).join(", ");
      throw new SignalboxError("USAGE", `Unknown reporter "${name}".`, `Known reporters: ${known}.`);
    }
    if (rest.length === 0) return { name };
    const path = rest.join("=");
    if (path === "") throw new SignalboxError("USAGE", `--reporter ${text} has no path.`, `Pass ${name}=path.`);
    return { name, path: resolve(path) };
  });
}

/** Formats the same reports as flags for another process. */
export function formatReporterFlags(reports: readonly ReportRequest[]): readonly string[] {
  return reports.flatMap(({ name, path }) => ["--reporter", path === undefined ? name : `${name}=${path}`]);
}

/** Built with the dashboard; in a clone by `npm run web`. */
const TEMPLATE = fileURLToPath(new URL("../../../dist/web/report.html", import.meta.url));

async function readTemplate(): Promise<string> {
  try {
    return await readFile(TEMPLATE, "utf8");
  } catch (error) {
    const message = `The HTML report template is not built: ${TEMPLATE} cannot be read.`;
    throw new SignalboxError("PAGE_MISSING", message, "Build it with `npm run web`, or use another reporter.", {
      cause: error,
    });
  }
}

const isReporter = (name: string): name is ReporterName => Object.hasOwn(REPORTERS, name);
