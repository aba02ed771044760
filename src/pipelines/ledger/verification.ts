import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Evidence } from "../../core/verbs.ts";
import { waves } from "../../core/waves.ts";
import { batches } from "../batches.ts";
import { type Conflict, integrate } from "../integrate.ts";
import type { Desk } from "./desk.ts";
import type { Task } from "./plan.ts";
import { type Known, SUB_WAVE, writePlan } from "./planning.ts";
import { planner } from "./roles.ts";
import { INTEGRATED } from "./rules.ts";
import type { Setup } from "./setup.ts";
import { type Judged, type Open, type Report, runWave } from "./wave.ts";

const ITERATIONS = 3;

/** Where the work stands: the accepted tasks' changes together, and what was not accepted. */
type Work = {
  readonly tree: Tree;
  readonly accepted: ReadonlyMap<string, Judged>;
  readonly open: readonly Open[];
};

/** Steps 5 and 6: sub-waves of work, each task verified by itself, then everything once together. */
export async function implementAndVerify(desk: Desk, setup: Setup, known: Known & { tasks: readonly Task[] }) {
  const { begin, loop, merge, round: atRound } = desk;
  const { baseline } = setup;
  let work: Work = { tree: baseline, accepted: new Map(), open: known.tasks.map((task) => ({ task, findings: [] })) };

  await begin("5 Implement");
  // Pins the baseline under the run's own refs: whatever happens, there is something to go back to.
  await merge(baseline, [baseline]);
  const result = await loop({ max: ITERATIONS }, async ({ round, findings }) => {
    atRound("verification", round);
    if (round > 1) work = { ...work, open: await replan(desk, setup, { ...known, findings, work }) };
    await begin("5 Implement");
    // The third round drops what the failed tasks left behind; accepted work is in the tree already.
    if (round === ITERATIONS) work = { ...work, open: work.open.map(({ draft: _, ...rest }) => rest) };
    work = await runWaves(desk, setup, { work, round });
    await begin("6 Verify");
    return together(desk, setup, { tree: work.tree, findings: work.open.flatMap((each) => each.findings) });
  });
  const tasks = [...work.accepted.values()];
  const { tree, whole, decision } = result;
  return {
    tree,
    whole,
    decision,
    exhausted: result.ended !== "passed",
    tasks,
    reports: tasks.map(({ report }) => report),
  };
}

export type Verified = {
  readonly tree: Tree;
  readonly whole: Evidence;
  readonly decision: Awaited<ReturnType<Desk["gate"]>>;
  readonly reports: readonly Report[];
};

/** Every configured check once on everything together: what is red here is below its threshold too. */
export async function together(desk: Desk, setup: Setup, at: { tree: Tree; findings: readonly Finding[] }) {
  const { check, gate } = desk;
  const whole = await check(at.tree, { baseline: setup.baseline, task: `${setup.slug}-integrated` });
  const about = { tree: at.tree.tree, whole, findings: at.findings };
  return { tree: at.tree, whole, decision: await gate("integrated", [INTEGRATED], about) };
}

type Replan = Known & { readonly findings: readonly Finding[]; readonly work: Work };

async function replan(desk: Desk, { folder }: Setup, { design, spec, verdicts, findings, work }: Replan) {
  await desk.begin("4 Plan");
  const { tasks } = await desk.agent(planner, { mode: "replan", design, spec, verdicts, findings });
  await writePlan(desk, folder, tasks);
  // What was accepted stays accepted, also when the planner names it again.
  const again = tasks.filter((task) => !work.accepted.has(task.id));
  return again.map((task): Open => ({ ...work.open.find((each) => each.task.id === task.id), task, findings: [] }));
}

async function runWaves(desk: Desk, setup: Setup, { work, round }: { work: Work; round: number }): Promise<Work> {
  const accepted = new Map(work.accepted);
  const left: Open[] = [];
  let { tree } = work;
  for (const [at, wave] of subWaves(work.open).entries()) {
    const held = wave.filter((each) => heldBack(each.task, left));
    left.push(...held.map((each) => ({ ...each, findings: [waiting(each.task)] })));
    const tasks = wave.filter((each) => !held.includes(each));
    if (tasks.length === 0) continue;
    await desk.within(`wave-${at + 1}`, async () => {
      const judged = await runWave(desk, { ...setup, tree, round, tasks });
      const passed = judged.filter(({ decision }) => decision.passed);
      const works = passed.map(({ task, after }) => ({ id: task.id, after }));
      const merged = await integrate(desk, tree, works);
      left.push(...belowThreshold(judged, merged.conflicts, tree));
      for (const each of passed) if (merged.taken.includes(each.task.id)) accepted.set(each.task.id, each);
      tree = merged.tree;
    });
  }
  return { tree, accepted, open: left };
}

const subWaves = (open: readonly Open[]): readonly (readonly Open[])[] =>
  waves(open.map((each) => ({ ...each, ...each.task }))).flatMap((wave) => batches(wave, SUB_WAVE));

/** Work on top of something that is not there would fail for a reason that is not its own. */
const heldBack = (task: Task, left: readonly Open[]): boolean =>
  left.some((each) => task.depends_on.includes(each.task.id));

const waiting = (task: Task): Finding => ({
  severity: "major",
  message: `${task.id} waits for ${task.depends_on.join(", ")}`,
  files: task.files,
});

function belowThreshold(judged: readonly Judged[], conflicts: readonly Conflict[], from: Tree): Open[] {
  return judged.flatMap(({ task, after, decision }) => {
    const conflict = conflicts.find((each) => each.id === task.id);
    if (decision.passed && !conflict) return [];
    const clash: Finding[] = conflict
      ? [{ severity: "major", message: `${task.id} conflicts with a task of its wave`, files: conflict.files }]
      : [];
    const below: Finding = { severity: "major", message: `${task.id} is below its threshold`, files: task.files };
    return [{ task, findings: [below, ...decision.findings, ...clash], draft: { from, after } }];
  });
}
