import type { Call } from "../call.ts";
import { readReportMaterial } from "../report/report-material.ts";
import { parseReports, type ReportMaterial, type ReportRequest, renderReport } from "../report/reporters.ts";
import { appendSummary, findStepSummary, printAnnotations, writeReport } from "../report/write-reports.ts";
import { findRun } from "../runs/find-run.ts";
import { withRunStore } from "../runs/run-store.ts";

export type ReportFlags = { readonly reporter: readonly string[] };

/** Prints a run as a report. */
export async function printReport(call: Call, runRef: string | undefined, flags: ReportFlags): Promise<number> {
  const names = flags.reporter.length > 0 ? flags.reporter : [call.json ? "json" : "md"];
  const reports = parseReports(names);
  return withRunStore(call, async (store) => {
    const row = await findRun(store.host, store.places.top, runRef);
    await store.team?.bring(row.id);
    const material = await readReportMaterial(store, row);
    for (const each of reports) await printOneReport(material, { ...each, redact: store.world.redact });
    return 0;
  });
}

type RedactedReport = ReportRequest & { redact(text: string): string };

async function printOneReport(material: ReportMaterial, { name, path, redact }: RedactedReport): Promise<void> {
  const summary = name === "github" && path === undefined ? findStepSummary() : undefined;
  if (summary !== undefined) await appendSummary(material, summary, redact);
  else {
    const text = await renderReport(name, material, redact);
    if (path === undefined) process.stdout.write(text);
    else await writeReport(path, text);
  }
  if (name === "github") printAnnotations(material, process.stdout, redact);
}
