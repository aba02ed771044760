import { SignalboxError } from "../../../core/failure/errors.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import type { Host } from "../../../core/ports/host.ts";
import { findForgedPart } from "../../../engine/replay/fork-start.ts";
import { readCurrentLedger } from "../../inspect/current-ledger.ts";
import type { RunStore } from "../run-store.ts";
import { refuseUnreadable } from "./readable-record.ts";

type Records = readonly JournalRecord[];
type TeamRuns = {
  readonly host: Pick<Host, "journal" | "runs" | "ledger">;
  /** Returns how many of a run's records its submitter wrote. */
  readonly born: (run: string) => Promise<number>;
};

/**
 * Verifies a submitted run before a worker drives it. It must begin with its start record. Steps that it copies from
 * another run must match that run's records and rows exactly, so that no submitter can claim finished work.
 */
export async function refuseForgedStart(team: TeamRuns, run: string, heirs: readonly string[] = []): Promise<void> {
  const { host } = team;
  const born = await team.born(run);
  if (born === 0) return;
  const records = await host.journal.page(run, { after: 0, most: born });
  const [start, ...taken] = records;
  if (start?.type !== "run.started") throw createForgedError(run, "its first record is not a start record");
  refuseUnreadable(start);
  // Every run has a preflight. Without it, work could be committed that no check has judged.
  if (start.preflight !== true) throw createForgedError(run, "it has no preflight before its commit");
  if (born === 1 && !start.from) return;
  const source = start.from && (await loadSourceRun(host, start.from.run));
  if (!source || !start.from) throw createForgedError(run, "it contains steps of a run that is not in this repository");
  const part = findForgedPart({ records: source, run, start: { ...start, from: start.from }, taken });
  if (part === "steps")
    throw createForgedError(run, `its steps from ${start.from.run} differ from what that run recorded`);
  if (part === "memory")
    throw createForgedError(
      run,
      `its observations and refusals from ${start.from.run} differ from what that run recorded`,
    );
  // The source run may be forged as well, so it is verified in turn; a run cannot be its own source, not even
  // indirectly.
  if ([run, ...heirs].includes(start.from.run)) throw createForgedError(run, "it contains steps of its own");
  await refuseForgedStart(team, start.from.run, [run, ...heirs]);
  const { differences } = await readCurrentLedger({ host, run, records });
  for (const { message } of differences) throw createForgedError(run, message);
}

/** Verifies a team's run before its work is landed or attested. On a single machine nobody else can start a run. */
export async function refuseForged({ host, team }: Pick<RunStore, "host" | "team">, run: string): Promise<void> {
  if (team) await refuseForgedStart({ host, born: team.store.born }, run);
}

/** Returns the records of a source run in this repository, which the same engine drives. */
async function loadSourceRun(host: TeamRuns["host"], run: string): Promise<Records | undefined> {
  return (await host.runs.get(run)) ? host.journal.load(run) : undefined;
}

function createForgedError(run: string, message: string): SignalboxError {
  return new SignalboxError(
    "JOURNAL_DAMAGED",
    `The start of run ${run} is invalid: ${message}.`,
    "Nothing was changed. It was not submitted by signalbox; start a new run.",
  );
}
