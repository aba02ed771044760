import { pagesOf } from "../../core/journal-pages.ts";
import type { RunRow } from "../../core/ports/host.ts";
import type { JournalRecord } from "../../core/record.ts";
import { redactDeep } from "../../core/redact-deep.ts";
import { type DecisionSeen, decisionsIn, standingDecisions } from "../../surfaces/reports/decisions.ts";
import { type DispatchSeen, dispatchesIn } from "../../surfaces/reports/dispatches.ts";
import {
  type EvidenceSeen,
  evidenceByTask,
  evidenceIn,
  isBad,
  standingChecks,
  type TaskEvidence,
} from "../../surfaces/reports/evidence.ts";
import { createView, type OpenApproval } from "../../surfaces/terminal/run-view.ts";
import { type Standing, standingOf } from "../../surfaces/terminal/standing.ts";
import { type Book, presenceOf, withBook } from "../book.ts";
import type { Call } from "../call.ts";
import { rulesNamed } from "../rules.ts";
import { findRun } from "../runs.ts";
import { whyLines } from "../why-lines.ts";

/** The because of where a run stands, put together from everything that was recorded. */
export type Why = {
  readonly run: string;
  readonly pipeline: string;
  readonly exit: number | null;
  readonly standing: Standing;
  /** The decision that weighs most: the last one, or the last that did not pass and still stands. */
  readonly decision: DecisionSeen | undefined;
  /** Dispatches whose last attempt failed. */
  readonly failures: readonly DispatchSeen[];
  /** Work with a check that stands as failed. */
  readonly contradicted: readonly (TaskEvidence & { readonly bad: readonly EvidenceSeen[] })[];
  /** How much the engine saw in all. */
  readonly results: number;
  /** What was committed although evidence could not decide it, and who said so. */
  readonly caveats: readonly string[];
  /** Why no command of the project was needed. */
  readonly exempt: string | null;
  /** Questions that nobody has answered, with what they show. */
  readonly open: readonly Pick<OpenApproval, "approval" | "title" | "show" | "choices">[];
  readonly next: readonly string[];
};

export async function why(call: Call, asked: string | undefined): Promise<number> {
  return withBook(call, async (book) => {
    const row = await findRun(book.host, book.places.top, asked);
    const facts = await factsOf(book, row);
    const told = redactDeep<Why>({ ...facts, next: nextOf(facts) }, book.world.redact);
    if (call.json) call.emit({ v: 1, ...told });
    else {
      const rules = await rulesNamed(call, { book, row }, told.decision?.rules.map(({ rule }) => rule) ?? []);
      for (const line of whyLines(call.paint, told, rules)) call.print(line);
    }
    return 0;
  });
}

async function factsOf(book: Book, row: RunRow): Promise<Omit<Why, "next">> {
  const { view, records } = await readRun(book, row.id);
  const standing = standingOf(view, await presenceOf(book, row));
  const decisions = decisionsIn(records);
  const contradicted = evidenceByTask(records).flatMap((task) => {
    const bad = standingChecks(task.evidence).filter(isBad);
    return bad.length > 0 ? [{ ...task, bad }] : [];
  });
  const { caveats, exempt = null } = view;
  return {
    run: row.id,
    pipeline: row.pipeline,
    exit: row.exit,
    standing,
    decision: standingDecisions(decisions).findLast((each) => !each.passed) ?? decisions.at(-1),
    failures: dispatchesIn(records).filter((each) => each.outcome === "failed"),
    contradicted,
    results: evidenceIn(records).length,
    caveats,
    exempt,
    open: view.open.map(({ approval, title, show, choices }) => ({ approval, title, show, choices })),
  };
}

/** The view, and of the records those that say why. */
async function readRun({ host }: Book, run: string) {
  const fold = createView();
  const records: JournalRecord[] = [];
  const gates = new Set<string>();
  for await (const page of pagesOf(host.journal, run)) {
    for (const record of page) {
      fold.take(record);
      if (record.type === "gate.evaluated") gates.add(record.key);
      // Values are the most of a journal, and only those of gates are looked at.
      if (record.type !== "step.finished" || gates.has(record.key)) records.push(record);
    }
  }
  return { view: fold.view(records.find((record) => record.type === "run.started")?.phases ?? []), records };
}

/** What moves the run first, then where to look closer. */
function nextOf({ run, standing, decision, failures, contradicted }: Omit<Why, "next">): readonly string[] {
  const missed = decision?.passed === false ? decision.rules.find((rule) => !rule.passed) : undefined;
  const failed = failures.at(-1);
  const looks = [
    missed ? `signalbox gate ${word(missed.rule)} --run ${run}` : "",
    failed ? `signalbox logs ${run} --step ${word(failed.key)}` : "",
    contradicted.length > 0 ? `signalbox evidence ${run}` : "",
  ];
  // Whoever asks why is here already; where nothing else tells more, the journal has everything.
  const moves = standing.next.filter((line) => line !== `signalbox why ${run}`);
  const all = [...new Set([...moves, ...looks.filter(Boolean)])];
  return all.length === 0 && standing.status === "error" ? [`signalbox events ${run}`] : all;
}

function word(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
