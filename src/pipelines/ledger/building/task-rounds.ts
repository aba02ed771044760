import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Evidence } from "../../../core/authoring/verbs.ts";
import { type Conflict, mergeContributions } from "../../merge-contributions.ts";
import type { LedgerContext } from "../context.ts";
import type { OpenTask, PastRound } from "../handover/rework.ts";
import type { Task } from "../planning/plan.ts";
import { approveAgain, createPlannerInput, type PlanInput, writePlan, writeTasks } from "../planning/planning.ts";
import type { Setup } from "../planning/setup.ts";
import { planner } from "../roles.ts";
import { INTEGRATED, selectDefects } from "../rules.ts";
import { type JudgedTask, runWave, splitSubWaves, type TaskPurpose } from "./wave.ts";

/**
 * @rule L-17 (policy) Verification has three rounds: a task below threshold causes a replan, then a replan from the
 *   baseline, then Confidence Low.
 */
const ITERATIONS = 3;

/** State of the work: the merged tree of accepted tasks, and the open tasks. */
type WorkState = {
  readonly tree: Tree;
  readonly accepted: ReadonlyMap<string, JudgedTask>;
  readonly open: readonly OpenTask[];
};

type TaskRoundsInput = PlanInput & TaskPurpose & { readonly tasks: readonly Task[] };

/**
 * Runs steps 5 and 6: sub-waves with a verification per task, then a check of the merged tree.
 * @rule L-18 (code) Returning to the baseline also removes the files that the task created.
 * @rule L-54 (policy) The third round starts from the baseline without the failed tasks' changes and with the accepted
 *   ones.
 */
export async function runTaskRounds(context: LedgerContext, setup: Setup, known: TaskRoundsInput) {
  const { begin, loop, merge, round: atRound } = context;
  const { baseline } = setup;
  let work: WorkState = {
    tree: baseline,
    accepted: new Map(),
    open: known.tasks.map((task) => ({ task, findings: [] })),
  };

  await begin("5 Implement");
  // Pins the baseline under the run's refs, so that it can always be restored.
  await merge(baseline, [baseline]);
  const result = await loop({ max: ITERATIONS }, async ({ round, findings }) => {
    atRound("verification", round);
    if (round > 1) work = { ...work, open: await planOpenTasks(context, setup, { ...known, findings, work }) };
    await begin("5 Implement");
    // The third round drops the failed tasks' drafts; accepted work is already in the tree.
    if (round === ITERATIONS) work = { ...work, open: work.open.map(({ draft: _, ...rest }) => rest) };
    work = await runWaves(context, { ...setup, asked: known }, { work, round });
    leaveWork(context, work);
    await begin("6 Verify");
    return checkIntegrated(context, setup, { tree: work.tree, findings: work.open.flatMap((each) => each.findings) });
  });
  const tasks = [...work.accepted.values()];
  const { tree, whole, decision } = result;
  return { tree, whole, decision, exhausted: result.ended !== "passed", tasks };
}

export type VerificationResult = {
  readonly tree: Tree;
  readonly whole: Evidence;
  readonly decision: Awaited<ReturnType<LedgerContext["gate"]>>;
  /** Accepted tasks, in order of acceptance. */
  readonly tasks: readonly Pick<JudgedTask, "task" | "report">[];
};

/** Records the work tree for every possible end of the run: the accepted tasks, otherwise the last draft. */
function leaveWork({ leave }: LedgerContext, { tree, accepted, open }: WorkState): void {
  const drafts = open.flatMap(({ task, draft }) => (draft ? [{ id: task.id, tree: draft.after }] : []));
  const refused = drafts.map(({ id, tree: of }) => `${id} did not pass verification (its tree is ${of.tree})`);
  const last = drafts.at(-1);
  if (accepted.size > 0) {
    const verified = `${[...accepted.keys()].join(", ")} verified, not reviewed`;
    leave({ tree, accepted: false, why: [verified, ...refused].join("; ") });
  } else if (last) leave({ tree: last.tree, accepted: false, why: refused.join("; ") });
}

/** Runs every configured check on the merged tree. A failure counts as below threshold. */
export async function checkIntegrated(
  context: LedgerContext,
  setup: Setup,
  at: { tree: Tree; findings: readonly Finding[] },
) {
  const { check, gate } = context;
  const whole = await check(at.tree, { baseline: setup.baseline, task: `${setup.slug}-integrated` });
  const about = { tree: at.tree.tree, whole, findings: at.findings };
  return { tree: at.tree, whole, decision: await gate("integrated", [INTEGRATED], about) };
}

type ReplanInput = PlanInput & { readonly findings: readonly Finding[]; readonly work: WorkState };

/**
 * Asks the planner for a new plan and returns its tasks that are not accepted yet.
 * @rule L-42 (policy) A sub-wave starts when the previous one is complete. A replan repeats only tasks below threshold
 *   and new ones.
 */
async function planOpenTasks(context: LedgerContext, setup: Setup, { findings, work, ...known }: ReplanInput) {
  await context.begin("4 Plan");
  const before = work.open.map(({ task }) => task);
  const asked = {
    mode: "replan" as const,
    ...createPlannerInput(context, setup, known),
    plan: before,
    accepted: [...work.accepted.values()].map(({ task }) => `${task.id}: ${task.title}`),
    reports: work.open.map(({ task, past = [] }) => ({ task_id: task.id, rounds: past.map(toRoundSummary) })),
    findings: selectDefects(findings),
  };
  // The planner sees the accepted work, because it plans on top of it.
  const { tasks } = await context.agent(planner, asked, { in: work.tree });
  await writePlan(context, setup.folder, tasks);
  // Accepted tasks stay accepted, even if the planner lists them again.
  const again = tasks.filter((task) => !work.accepted.has(task.id));
  await approveAgain(context, { folder: setup.folder, before, tasks: again });
  await writeTasks(context, { folder: setup.folder, before, tasks });
  return again.map((task) => toOpenTask(task, work.open, findings));
}

const toRoundSummary = ({ round, evidence, said }: PastRound): object => ({ round, evidence, verifier: said });

/** Reopens a task after a replan. A replacement task inherits the findings of the tasks whose files it shares. */
function toOpenTask(task: Task, open: readonly OpenTask[], findings: readonly Finding[]): OpenTask {
  const same = open.find((each) => each.task.id === task.id);
  if (same) return { ...same, task };
  const kin = open.filter((each) => each.task.files.some((path) => task.files.includes(path)));
  const [first] = kin;
  const wrong = open.length > 0 ? kin.flatMap((each) => each.findings) : selectDefects(findings);
  return { task, findings: wrong, ...(first?.earlier && { earlier: first.earlier }) };
}

async function runWaves(
  context: LedgerContext,
  setup: Setup & { readonly asked: TaskPurpose },
  { work, round }: { work: WorkState; round: number },
): Promise<WorkState> {
  const accepted = new Map(work.accepted);
  const left: OpenTask[] = [];
  let { tree } = work;
  for (const [at, wave] of splitSubWaves(work.open).entries()) {
    const held = wave.filter((each) => isHeldBack(each.task, left));
    left.push(...held.map((each) => ({ ...each, findings: [createWaitingFinding(each.task)] })));
    const tasks = wave.filter((each) => !held.includes(each));
    if (tasks.length === 0) continue;
    await context.within(
      `wave-${at + 1}`,
      async () => {
        const judged = await runWave(context, { ...setup, tree, round, tasks });
        const passed = judged.filter(({ decision }) => decision.passed);
        const works = passed.map(({ task, after }) => ({ id: task.id, after }));
        const merged = await mergeContributions(context, tree, works);
        left.push(...selectBelowThreshold(judged, merged.conflicts, tree));
        for (const each of passed) if (merged.taken.includes(each.task.id)) accepted.set(each.task.id, each);
        tree = merged.tree;
      },
      { repeats: true },
    );
  }
  return { tree, accepted, open: left };
}

/** Returns whether a task depends on one that was not accepted. */
const isHeldBack = (task: Task, left: readonly OpenTask[]): boolean =>
  left.some((each) => task.depends_on.includes(each.task.id));

const createWaitingFinding = (task: Task): Finding => ({
  severity: "major",
  message: `${task.id} waits for ${task.depends_on.join(", ")}`,
  files: task.files,
});

function selectBelowThreshold(judged: readonly JudgedTask[], conflicts: readonly Conflict[], from: Tree): OpenTask[] {
  return judged.flatMap(({ task, after, decision, report, past }) => {
    const conflict = conflicts.find((each) => each.id === task.id);
    if (decision.passed && !conflict) return [];
    const clash: Finding[] = conflict
      ? [{ severity: "major", message: `${task.id} conflicts with a task of its wave`, files: conflict.files }]
      : [];
    const findings = [...selectTaskDefects(task, decision.findings), ...clash];
    return [{ task, findings, draft: { from, after }, earlier: { report }, past }];
  });
}

/** Selects the findings on the work. If there are none, names the missed gate, so that the next round has a reason. */
function selectTaskDefects(task: Task, findings: readonly Finding[]): readonly Finding[] {
  const defects = selectDefects(findings);
  if (defects.some(({ severity }) => severity !== "minor")) return defects;
  return [{ severity: "major", message: `${task.id} is below its threshold`, files: task.files }, ...findings];
}
