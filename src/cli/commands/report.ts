import type { Call } from "../call.ts";
import { materialOf } from "../report/material.ts";
import { type AskedReport, askedReports, type Material, rendered } from "../report/reporters.ts";
import { appendSummary, stepSummary, tellRunner, writeReport } from "../report/write-reports.ts";
import { findRun } from "../runs/find-run.ts";
import { withRunStore } from "../runs/run-store.ts";

export type ReportFlags = { readonly reporter: readonly string[] };

/** Prints a run as a report. */
export async function printReport(call: Call, runRef: string | undefined, flags: ReportFlags): Promise<number> {
  const names = flags.reporter.length > 0 ? flags.reporter : [call.json ? "json" : "md"];
  const reports = askedReports(names);
  return withRunStore(call, async (store) => {
    const row = await findRun(store.host, store.places.top, runRef);
    await store.team?.bring(row.id);
    const material = await materialOf(store, row);
    for (const each of reports) await printOneReport(material, { ...each, redact: store.world.redact });
    return 0;
  });
}

type RedactedReport = AskedReport & { redact(text: string): string };

async function printOneReport(material: Material, { name, path, redact }: RedactedReport): Promise<void> {
  const summary = name === "github" && path === undefined ? stepSummary() : undefined;
  if (summary !== undefined) await appendSummary(material, summary, redact);
  else {
    const text = await rendered(name, material, redact);
    if (path === undefined) process.stdout.write(text);
    else await writeReport(path, text);
  }
  if (name === "github") tellRunner(material, process.stdout, redact);
}
