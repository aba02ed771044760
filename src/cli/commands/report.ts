import { SignalboxError } from "../../core/errors.ts";
import { jsonLine } from "../../core/json-line.ts";
import { redactDeep } from "../../core/redact-deep.ts";
import { markdownReport } from "../../surfaces/reports/markdown.ts";
import { type RunReport, reportOf } from "../../surfaces/reports/run-report.ts";
import { orchestrationMs } from "../../surfaces/terminal/orchestration.ts";
import type { Call } from "../call.ts";
import { withRun } from "../run-book.ts";

export type ReportFlags = { readonly reporter?: string };

const REPORTERS: Readonly<Record<string, (report: RunReport) => string>> = {
  md: (report) => markdownReport(report).trimEnd(),
  json: jsonLine,
};

/** A run as a document, for those who were not there. */
export async function report(call: Call, asked: string | undefined, flags: ReportFlags): Promise<number> {
  const name = flags.reporter ?? (call.json ? "json" : "md");
  const render = Object.hasOwn(REPORTERS, name) ? REPORTERS[name] : undefined;
  if (!render) {
    const known = Object.keys(REPORTERS).join(", ");
    throw new SignalboxError("USAGE", `There is no reporter "${name}".`, `There are: ${known}.`);
  }
  return withRun(call, asked, async ({ book, records }) => {
    const data = reportOf(records, { orchestrationMs: orchestrationMs(records) });
    call.print(render(redactDeep(data, book.world.redact)));
    return 0;
  });
}
