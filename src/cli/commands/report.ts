import { SignalboxError } from "../../core/failure/errors.ts";
import { jsonLine } from "../../core/text/json-line.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { markdownReport } from "../../surfaces/reports/markdown.ts";
import { type RunReport, reportOf } from "../../surfaces/reports/run-report.ts";
import type { Call } from "../call.ts";
import { withView } from "../runs/one-run.ts";

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
  return withView(call, asked, async ({ store, view }) => {
    call.verbatim(render(redactDeep(reportOf(view), store.world.redact)));
    return 0;
  });
}
