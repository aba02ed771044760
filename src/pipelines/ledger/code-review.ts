import type { Finding } from "../../core/finding.ts";
import type { Desk } from "./desk.ts";
import type { Task } from "./plan.ts";
import { review } from "./review.ts";
import type { Heard } from "./rules.ts";
import type { Setup } from "./setup.ts";
import { together, type Verified } from "./verification.ts";
import { type Report, runWave } from "./wave.ts";

const ROUNDS = 2;

/** Step 7: review; then fix, verify again and review again. What is still open becomes known issues. */
export async function codeReview(desk: Desk, setup: Setup, verified: Verified) {
  const { begin, see, loop, round: atRound } = desk;
  let state = verified;
  let reviews: readonly Heard[] = [];
  const result = await loop({ max: ROUNDS }, async ({ round, findings }) => {
    atRound("review", round);
    if (round > 1) {
      const fixed = await fix(desk, setup, { state, findings, round });
      // A fix that breaks a check is not worth a reviewer's time: it has spent its round.
      if (!fixed.decision.passed) return { decision: fixed.decision };
      state = fixed;
    }
    await begin("7 Code review");
    const { tree, whole, reports } = state;
    const diff = await see("diff", { from: setup.baseline, to: tree });
    const subject = { diff, evidence: whole, reports };
    const reviewed = await review(desk, setup, { scope: "code", round, tree: tree.tree, subject, evidence: whole });
    reviews = reviewed.reviews;
    return { decision: reviewed.decision };
  });
  const { decision, ended } = result;
  return { ...state, integrated: state.decision, decision, reviews, exhausted: ended !== "passed" };
}

type Round = { readonly state: Verified; readonly findings: readonly Finding[]; readonly round: number };

async function fix(desk: Desk, setup: Setup, { state, findings, round }: Round): Promise<Verified> {
  const { baseline, slug } = setup;
  const changed = await desk.see("changes", { from: baseline, to: state.tree });
  const files = [...changed.map(({ path }) => path), ...findings.flatMap((finding) => finding.files ?? [])];
  const task = fixTask(`${slug}-review-fix`, findings, files);
  const mends = mendedBy(state.reports, findings);
  const tasks = [{ task, findings: [], ...(mends === undefined ? {} : { mends }) }];
  const [judged] = await runWave(desk, { ...setup, tree: state.tree, round, tasks });
  if (!judged?.decision.passed) return { ...state, decision: judged?.decision ?? state.decision };
  const whole = await together(desk, setup, { tree: judged.after, findings: [] });
  return { ...whole, reports: [...state.reports, judged.report] };
}

/** The task whose files the findings name; where none does, the last one. */
function mendedBy(reports: readonly Report[], findings: readonly Finding[]): string | undefined {
  const named = new Set(findings.flatMap((finding) => finding.files ?? []));
  const owner = reports.find((report) => report.changed?.some((path) => named.has(path)));
  return (owner ?? reports.at(-1))?.task_id;
}

function fixTask(id: string, findings: readonly Finding[], files: readonly string[]): Task {
  return {
    id,
    title: "Settle what the code review found",
    size: "Standard",
    risk: "🟡",
    depends_on: [],
    acceptance_criteria: findings.map((finding) => finding.message),
    files: [...new Set(files)],
    checks: [],
  };
}
