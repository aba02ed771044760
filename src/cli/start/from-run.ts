import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { type Arrival, listArrivals } from "../../core/journal/arrivals.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import { quoteShellWord } from "../../core/text/shell-word.ts";
import { requireArrival } from "../../engine/replay/fork-history.ts";
import type { Call } from "../call.ts";
import type { Symptom } from "../doctor/symptom.ts";
import { askGit } from "../project/ask-git.ts";
import { refuseForgedStart } from "../runs/anchors/forged-start.ts";
import { findRun } from "../runs/find-run.ts";
import { withRunStore } from "../runs/run-store.ts";

/** The parts of an earlier run that a new one reuses. */
export type EarlierRun = {
  readonly run: string;
  readonly phase: string;
  /** The arrival at the phase to continue from, and all arrivals there. */
  readonly arrival: Arrival;
  readonly arrivals: readonly Arrival[];
  readonly records: readonly JournalRecord[];
  readonly input: unknown;
  readonly base: { readonly commit: string; readonly tree: string };
};

/**
 * Parses `RUN:PHASE#2`: a run by id or prefix, a phase by title or its beginning, and the number of the arrival, by
 * default the last one.
 */
export async function findEarlierRun(call: Call, pipeline: Pipeline, asked: string): Promise<EarlierRun> {
  const at = asked.indexOf(":");
  if (at < 1 || at === asked.length - 1) {
    throw new SignalboxError(
      "USAGE",
      `--from "${asked}" does not name a run and a phase.`,
      'Use --from RUN:PHASE, e.g. "a1b2:7".',
    );
  }
  return withRunStore(call, async ({ host, places, team }) => {
    const row = await findRun(host, places.top, asked.slice(0, at));
    if (row.pipeline !== pipeline.name) {
      throw new SignalboxError(
        "USAGE",
        `Run ${row.id} belongs to pipeline ${row.pipeline}, not ${pipeline.name}.`,
        `--from requires a run of the same pipeline: signalbox run ${row.pipeline} --from ${asked}`,
      );
    }
    if (team) await refuseForgedStart({ host, born: team.store.born }, row.id);
    const records = await host.journal.load(row.id);
    const started = records[0];
    if (started?.type !== "run.started") throw new Error(`run ${row.id} has no start record`);
    const { phase, number } = parseArrival(pipeline, asked.slice(at + 1).trim());
    const arrival = requireArrival({ records, phase, arrival: number });
    const { input, base } = started;
    return { run: row.id, phase, arrival, arrivals: listArrivals(records, phase), records, input, base };
  });
}

/**
 * Warns if another commit is checked out. The reused steps were made on the earlier run's base, so the new steps start
 * from it, too.
 */
export async function noteOtherBase({ run, base }: EarlierRun, top: string): Promise<readonly Symptom[]> {
  const head = await readGitLine(top, ["rev-parse", "--verify", "HEAD"]);
  if (head === base.commit) return [];
  const says = `this run starts from ${shortenCommit(base.commit)}, the base of ${run}, not from ${shortenCommit(head)}, which is checked out; landing it merges both`;
  return [{ what: "base", state: "note", says, get: "start without --from to use the current commit" }];
}

/** Rejects a base commit that no longer exists. Nothing retains it once all branches and runs with it are gone. */
export async function requireBaseCommit({ run, base }: EarlierRun, top: string): Promise<void> {
  if ((await readGitLine(top, ["cat-file", "-t", base.commit])) === "commit") return;
  throw new SignalboxError(
    "USAGE",
    `Run ${run} started at commit ${shortenCommit(base.commit)}, which no longer exists in this repository.`,
    "Fetch it again, or start a new run without --from.",
  );
}

async function readGitLine(top: string, args: readonly string[]): Promise<string> {
  const reply = await askGit(top, args);
  return "out" in reply ? reply.out.trim() : "";
}

/** Reports which arrival is used if there are several, because another one may have been meant. */
export function noteSeveralArrivals({ run, phase, arrival, arrivals }: EarlierRun): readonly Symptom[] {
  if (arrivals.length < 2) return [];
  const which = ({ number, after }: Arrival) => `#${number}${after === undefined ? "" : ` (after ${after})`}`;
  const last = arrival.number === arrivals.length ? ", the last one" : "";
  const says = `${run} reached ${phase} ${arrivals.length} times; this run continues from ${which(arrival)}${last}`;
  const others = arrivals.filter((each) => each !== arrival && each.number !== arrival.number).map(which);
  const named = quoteShellWord(`${run}:${phase}#N`);
  return [{ what: "arrival", state: "note", says, get: `--from ${named} selects another: ${others.join(", ")}` }];
}

const shortenCommit = (commit: string): string => commit.slice(0, 10);

/** A title may end in `#` and a number, so an exact match is tried first. */
function parseArrival(pipeline: Pipeline, asked: string): { readonly phase: string; readonly number?: number } {
  const [, heading = "", number = ""] = /^(.*\S)\s*#([1-9]\d{0,5})$/.exec(asked) ?? [];
  const isWhole = pipeline.phases.some(({ title }) => title === asked);
  if (isWhole || heading === "") return { phase: findPhase(pipeline, asked) };
  return { phase: findPhase(pipeline, heading), number: Number(number) };
}

function findPhase(pipeline: Pipeline, asked: string): string {
  const titles = pipeline.phases.map((phase) => phase.title);
  const number = (title: string): string => title.split(" ")[0] ?? "";
  const lower = asked.toLowerCase();
  const found =
    titles.find((title) => title === asked) ??
    titles.find((title) => number(title).toLowerCase() === lower) ??
    pickOnly(titles.filter((title) => title.toLowerCase().includes(lower)));
  if (found !== undefined) return found;
  const close = findNearestWord(asked, titles);
  throw new SignalboxError(
    "USAGE",
    `${pipeline.name} has no phase "${asked}".${close ? ` Did you mean "${close}"?` : ""}`,
    `Phases: ${titles.join(", ")}.`,
  );
}

function pickOnly<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
