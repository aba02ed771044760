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
import { viewOf } from "../../surfaces/terminal/run-view.ts";
import { type Standing, standingOf } from "../../surfaces/terminal/standing.ts";
import { presenceOf } from "../book.ts";
import type { Call } from "../call.ts";
import { rulesKnown } from "../rules.ts";
import { withRun } from "../run-book.ts";
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
  readonly next: readonly string[];
};

export async function why(call: Call, asked: string | undefined): Promise<number> {
  return withRun(call, asked, async (found) => {
    const { book, row, records } = found;
    const view = viewOf(records, records.find((record) => record.type === "run.started")?.phases ?? []);
    const standing = standingOf(view, await presenceOf(book, row));
    const decisions = decisionsIn(records);
    const decision = standingDecisions(decisions).findLast((each) => !each.passed) ?? decisions.at(-1);
    const failures = dispatchesIn(records).filter((each) => each.outcome === "failed");
    const contradicted = evidenceByTask(records).flatMap((task) => {
      const bad = standingChecks(task.evidence).filter(isBad);
      return bad.length > 0 ? [{ ...task, bad }] : [];
    });
    const results = evidenceIn(records).length;
    const about = { run: row.id, pipeline: row.pipeline, exit: row.exit };
    const { caveats, exempt = null } = view;
    const facts = { ...about, standing, decision, failures, contradicted, results, caveats, exempt };
    const told = redactDeep<Why>({ ...facts, next: nextOf(facts) }, book.world.redact);
    if (call.json) call.emit({ v: 1, ...told });
    else {
      const { byId } = await rulesKnown(call, found, {});
      for (const line of whyLines(call.paint, told, byId)) call.print(line);
    }
    return 0;
  });
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
  return [...new Set([...standing.next, ...looks.filter(Boolean)])];
}

function word(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
