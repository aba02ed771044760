import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";
import { getOwnerName } from "../../hosts/sqlite/owner.ts";
import type { App } from "../app.ts";
import type { Call } from "../call.ts";
import type { AttentionTerms } from "../live/attention.ts";
import { createPageFeed } from "../live/page-feed.ts";
import { warnLackingTargets } from "../notify/lacking-targets.ts";
import { followNotices } from "../notify/post-notices.ts";
import type { ReportRequest } from "../report/reporters.ts";
import { writeReports } from "../report/write-reports.ts";
import { createRunEndedError, findRunEnd } from "../runs/ended-run.ts";
import { readStartFlags } from "../runs/start-flags.ts";
import { sendTelemetry } from "../telemetry/send-telemetry.ts";
import { anchorJournal } from "./anchor-journal.ts";
import { createRunPrinter } from "./run-printer.ts";
import { handleSignals } from "./signals.ts";
import { attachViewer, recallRun } from "./viewer.ts";

type DriveInputs = Pick<App, "host" | "workspace" | "world" | "project" | "leaveQuestions" | "targets" | "collector">;

type DriveRequest = {
  readonly run: string;
  readonly reports?: readonly ReportRequest[];
  readonly attention?: AttentionTerms;
};

/** Drives a run until it ends or is suspended, and prints its progress. Returns the exit code. */
export async function driveRun(
  call: Call,
  driven: DriveInputs,
  { run, reports = [], attention }: DriveRequest,
): Promise<number> {
  const { host, workspace, world } = driven;
  warnLackingTargets(call, driven.targets);
  const store = { host, world, places: driven.project.places };
  const feed = call.live ? createPageFeed(store, run) : undefined;
  const again = await readStartFlags(store.places, run);
  const observe = (record: JournalRecord) => feed?.take(record);
  const past = await recallRun(call, { journal: host.journal, startedWith: again, observe }, run);
  // A new run is printed from its first record, a resumed one from where it stopped.
  const { fresh } = past;
  const printer = fresh ? createRunPrinter(call, again) : past.teller;
  const before = past.teller.seq();
  const signals = handleSignals(feed && call.print);
  const over = new AbortController();
  const viewer = attachViewer(call, store, {
    ...{ run, feed, past, signals, attention },
    agents: () => printer.view().agents,
    leave: driven.leaveQuestions,
  });
  const notices = followNotices(
    { ...driven, places: driven.project.places, trusted: isTrustedForCall(driven.project) },
    run,
  );
  const telemetry = sendTelemetry(driven, { run, after: before });
  const printing = (async () => {
    for await (const record of host.journal.follow(run, printer.seq(), over.signal)) {
      printer.tell(record);
      viewer.heard(record);
    }
  })();
  try {
    await workspace
      .owned(signals.stop, () => workspace.restore(run))
      .catch((error: unknown) => {
        if (!signals.stop.aborted) throw error;
      });
    const result = await host.drive(run, signals.stop);
    // The run ended elsewhere while this process was loading. Nothing was done here, so it is reported as an error.
    const end = fresh || (await hasDriven(host, run, before)) ? undefined : await findRunEnd({ host }, run);
    if (end) throw createRunEndedError(end, world.now());
    return result.status === "interrupted" ? (signals.exit() ?? result.exit) : result.exit;
  } catch (error) {
    const last = (await host.journal.load(run, before)).at(-1);
    // The pipeline violated replay; the last record of the run contains the reason.
    if (last?.type === "run.suspended" && last.status === "broken") return last.exit;
    throw error;
  } finally {
    over.abort();
    viewer.leave();
    await printing.catch(() => undefined);
    await notices.close();
    for (const record of await host.journal.load(run, printer.seq())) printer.tell(record);
    viewer.close();
    signals.close();
    await writeReports(call, { host, world, places: driven.project.places }, { run, asked: reports });
    await anchorJournal({ host, workspace }, run, printer.seq());
    await telemetry.close();
  }
}

/** Trust given for this call is passed on to the notices sent during it. */
function isTrustedForCall({ trust }: Pick<App["project"], "trust">): boolean {
  return trust === "this call";
}

/** Returns true if this process owned the run at any time after that record. */
async function hasDriven({ journal }: Host, run: string, after: number): Promise<boolean> {
  const owner = getOwnerName();
  const records = await journal.load(run, after);
  return records.some((record) => record.type === "engine.started" && record.owner === owner);
}
