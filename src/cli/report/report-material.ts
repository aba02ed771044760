import type { TestNames } from "../../core/checks/reports/test-report.ts";
import { readJournalPages } from "../../core/journal/journal-pages.ts";
import type { RunRow } from "../../core/ports/host.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { buildReport } from "../../surfaces/reports/run-report.ts";
import { selectLatestChecks } from "../../views/evidence.ts";
import { createPageFold } from "../../views/page/page-fold.ts";
import { collectAround } from "../runs/page/run-page.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { ReportMaterial } from "./reporters.ts";
import { buildStandaloneReport } from "./standalone-report.ts";

/** Collects what reporters show of a run. Secrets are redacted before a format can hide one. */
export async function readReportMaterial(store: RunStore, row: RunRow): Promise<ReportMaterial> {
  const { host, world } = store;
  const fold = createPageFold();
  for await (const records of readJournalPages(host.journal, row.id)) for (const record of records) fold.take(record);
  const view = fold.view();
  const page = fold.page(await collectAround(store, row, view));
  const report = redactDeep(buildReport(view, page), world.redact);
  const names = new Map<string, TestNames>();
  for (const { tests } of selectLatestChecks(view.evidence)) {
    const text = tests?.names === undefined ? undefined : await host.blobs.get(tests.names);
    // Blobs under these digests are written by the engine alone.
    if (tests?.names !== undefined && text !== undefined)
      names.set(tests.names, redactDeep(JSON.parse(text) as TestNames, world.redact));
  }
  return { report, names, whole: () => buildStandaloneReport({ store, row, view, page }) };
}
