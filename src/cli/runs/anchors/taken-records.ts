import { SignalboxError } from "../../../core/failure/errors.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import type { Host } from "../../../core/ports/host.ts";
import { findForgedPart } from "../../../engine/replay/fork-start.ts";
import { ledgerNow } from "../../inspect/ledger-now.ts";
import type { RunStore } from "../run-store.ts";
import { refuseUnreadable } from "./readable-record.ts";

type Records = readonly JournalRecord[];
type TeamRuns = {
  readonly host: Pick<Host, "journal" | "runs" | "ledger">;
  /** How many of a run's records its submitter wrote. */
  readonly born: (run: string) => Promise<number>;
};

/**
 * Before a worker drives what somebody submitted: a run begins with how it was started. Steps that it says to have from
 * another run are that run's, word by word, with their rows; nobody is believed who brings finished work along.
 */
export async function refuseForgedStart(team: TeamRuns, run: string, heirs: readonly string[] = []): Promise<void> {
  const { host } = team;
  const born = await team.born(run);
  if (born === 0) return;
  const records = await host.journal.page(run, { after: 0, most: born });
  const [start, ...taken] = records;
  if (start?.type !== "run.started") throw forged(run, "it does not begin with how it was started");
  refuseUnreadable(start);
  // Every run has one: without it, work would be committed that no command of the project has judged.
  if (start.preflight !== true) throw forged(run, "nothing would be looked at before its commit");
  if (born === 1 && !start.from) return;
  const source = start.from && (await sourceOf(host, start.from.run));
  if (!source || !start.from) throw forged(run, "it brings steps of a run that is not here");
  const part = findForgedPart({ records: source, run, start: { ...start, from: start.from }, taken });
  if (part === "steps") throw forged(run, `what it has from ${start.from.run} is not what that run recorded`);
  if (part === "memory")
    throw forged(run, `what it says that ${start.from.run} saw or was refused for is not what that run recorded`);
  // That run may have been begun by somebody who wrote its steps, too; and none is its own source, whatever the way.
  if ([run, ...heirs].includes(start.from.run)) throw forged(run, "it brings steps of its own");
  await refuseForgedStart(team, start.from.run, [run, ...heirs]);
  const { differences } = await ledgerNow({ host, run, records });
  for (const { message } of differences) throw forged(run, message);
}

/** For whoever takes or vouches for a team's work; on one machine nobody else can begin a run. */
export async function refuseForged({ host, team }: Pick<RunStore, "host" | "team">, run: string): Promise<void> {
  if (team) await refuseForgedStart({ host, born: team.store.born }, run);
}

/** Of this repository: its runs are driven by those who drive this one. */
async function sourceOf(host: TeamRuns["host"], run: string): Promise<Records | undefined> {
  return (await host.runs.get(run)) ? host.journal.load(run) : undefined;
}

function forged(run: string, message: string): SignalboxError {
  return new SignalboxError(
    "JOURNAL_DAMAGED",
    `The run ${run} was not begun as runs are: ${message}.`,
    "Nothing was done. Whoever submitted it wrote past the program; start a new run.",
  );
}
