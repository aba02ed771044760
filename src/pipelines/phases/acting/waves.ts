import type { Verbs } from "../../../core/authoring/verbs.ts";
import { formatPlan, getPlanPath } from "../artifacts.ts";
import { describeRunState } from "../closing/status.ts";
import { writeEvents } from "../events.ts";
import { listQuestionsBeforeWave, settleQuestions } from "../planning/clarification.ts";
import { selectDecisions } from "../planning/concerned-phases.ts";
import type { Phase } from "../planning/plan.ts";
import {
  type ActingStart,
  captureWaveStart,
  findNextWave,
  openProgress,
  type Progress,
  storeExecutedPhase,
} from "../progress.ts";
import type { PhasesContext } from "../run-context.ts";
import { correctTodos, createTodos, listTodos } from "../todo.ts";
import { approveWave, approveWithPlan } from "./approvals.ts";
import { escalateFailures } from "./escalation.ts";
import { computeWaveCap, routeFailures } from "./failures.ts";
import { mergeWave } from "./integration.ts";
import { type PhaseResult, type PhaseTask, runPhase } from "./phase.ts";
import { closePhase } from "./phase-end.ts";

type ActingVerbs = Verbs<{ readonly request: string }>;

/**
 * Runs the waves in order: one approval per wave, all phases of a wave in parallel, the next wave when all are
 * complete.
 */
export async function runWaves(verbs: ActingVerbs, context: PhasesContext, start: ActingStart): Promise<Progress> {
  const progress = openProgress(start);
  approveWithPlan(progress, context, start);
  verbs.phase("WAITING_APPROVAL");
  await listTodos(verbs, createTodos(progress.plan, []));
  for (let pass = 1; ; pass += 1) {
    const wave = findNextWave(progress.plan, [...progress.done.keys()]);
    if (wave.length === 0) return progress;
    await verbs.within(`pass-${pass}`, () => runWave(verbs, context, { progress, wave }), { repeats: true });
  }
}

type CurrentWave = { readonly progress: Progress; readonly wave: readonly Phase[] };

async function runWave(verbs: ActingVerbs, context: PhasesContext, at: CurrentWave): Promise<void> {
  const { progress, wave } = at;
  verbs.phase("WAITING_APPROVAL");
  await reconcileTodos(verbs, progress);
  await verbs.note(
    describeRunState(progress, {
      state: "WAITING_APPROVAL",
      phases: wave,
      last: describeLastAction(progress),
      next: "approval",
    }),
  );
  const open = listQuestionsBeforeWave(progress.plan, wave).filter(
    ({ question }) => !progress.decisions.some((runOne) => runOne.question === question),
  );
  progress.decisions.push(...(await settleQuestions(verbs, open)));
  await approveWave(verbs, context, at);
  verbs.phase("ACTING");
  await verbs.note(
    describeRunState(progress, {
      state: "ACTING",
      phases: wave,
      active: true,
      last: "the wave was approved",
      next: "code review",
    }),
  );
  const results = await dispatchWave(verbs, context, at);
  await writeEvents(verbs, context);
  const left = await mergePassed(verbs, context, { ...at, results });
  const failed = [...results.filter((runOne) => !runOne.passed), ...left];
  if (failed.length > 0) await escalateFailures(verbs, context, { progress, failed });
}

/** Reconciles the todo list before anything depends on it. */
export async function reconcileTodos(verbs: Verbs<unknown>, progress: Progress): Promise<void> {
  const todo = createTodos(progress.plan, [...progress.marked]);
  const complete = await correctTodos(verbs, { todo, complete: [...progress.done.keys()] });
  progress.marked.clear();
  for (const id of complete) progress.marked.add(id);
}

/**
 * @rule P-21 (policy) The phases of one wave run in parallel up to the limit of plan and policy; the next wave starts
 *   when all of them are complete.
 */
async function dispatchWave(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  at: CurrentWave,
): Promise<readonly PhaseResult[]> {
  const { progress, wave } = at;
  const { policy } = context;
  const number = wave[0]?.wave ?? 1;
  const start = Math.min(progress.plan.max_parallel_agents, policy.max_parallel_agents);
  const cap = computeWaveCap({ wave: number, start, faulty: progress.faulty, budgets: policy.retry_budgets });
  const standing = captureWaveStart(progress);
  const runOne = (phase: Phase) => {
    const decisions = selectDecisions(standing.decisions, progress.plan, phase);
    const task = { ...buildPhaseTask(progress, phase), standing: { ...standing, decisions } };
    return runPhase(verbs, { ...context, lane: phase.phase_id }, task);
  };
  const all = await verbs.parallel(wave, runOne, { key: (phase) => `phase-${phase.phase_id}`, cap });
  const results = all.filter((result) => result !== undefined);
  const faulty = results.filter(({ faults }) => faults.some((fault) => fault.class === "transient"));
  const before = progress.faulty.get(number) ?? new Set();
  progress.faulty.set(number, new Set([...before, ...faulty.map(({ phase }) => phase.phase_id)]));
  const planned = progress.plan;
  for (const result of results) recordFaults(progress, result);
  // People read the plan from this file, so a local replan is written to it.
  if (progress.plan !== planned) await verbs.write(getPlanPath(context.task), formatPlan(progress.plan, context.form));
  return results;
}

function recordFaults(progress: Progress, result: PhaseResult): void {
  const { phase, faults } = result;
  storeExecutedPhase(progress, result);
  const known = progress.faults.get(phase.phase_id)?.length ?? 0;
  progress.history.push(...faults.slice(known).map((fault) => ({ phase: phase.phase_id, fault })));
  progress.faults.delete(phase.phase_id);
}

function buildPhaseTask(progress: Progress, phase: Phase): Omit<PhaseTask, "standing"> {
  const hint = progress.hints.get(phase.phase_id);
  return {
    phase,
    plan: progress.plan,
    tree: progress.tree,
    approved: progress.approved.get(phase.phase_id)?.files.map((file) => file.path) ?? [],
    confirmed: progress.confirmed.has(phase.phase_id),
    faults: progress.faults.get(phase.phase_id) ?? [],
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Merges the phases that passed. A phase that cannot be merged runs again while its budget lasts. */
async function mergePassed(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { progress, wave, results }: CurrentWave & { readonly results: readonly PhaseResult[] },
): Promise<readonly PhaseResult[]> {
  const passed = results.filter((runOne) => runOne.passed);
  const works = passed.map(({ phase, after }) => ({ id: String(phase.phase_id), after }));
  const changes = passed.some(({ changed }) => changed.length > 0);
  const together = await mergeWave(verbs, { tree: progress.tree, works, task: `wave-${wave[0]?.wave}`, changes });
  progress.tree = together.tree;
  for (const result of passed) {
    const id = result.phase.phase_id;
    progress.marked.add(id);
    if (!together.taken.includes(String(id))) continue;
    progress.done.set(id, result);
    await verbs.within(`end-${id}`, () => closePhase(verbs, context, { progress, result }));
  }
  return passed.flatMap((result) => {
    const reason = together.left.find(({ id }) => id === String(result.phase.phase_id))?.reason;
    return reason === undefined ? [] : retryUnmerged(context, progress, { result, reason });
  });
}

/**
 * the later of two conflicting phases runs again with the conflicting paths; without retries left, a person
 * decides.
 */
function retryUnmerged(
  { policy }: PhasesContext,
  progress: Progress,
  { result, reason }: { readonly result: PhaseResult; readonly reason: string },
): readonly PhaseResult[] {
  const fault = { class: "fixable", at: "merge", reason } as const;
  const faults = [...result.faults, fault];
  const id = result.phase.phase_id;
  progress.history.push({ phase: id, fault });
  const route = routeFailures(
    faults.map((runOne) => runOne.class),
    policy,
  );
  if (route.go === "escalate") return [{ ...result, passed: false, faults, why: route.why }];
  progress.faults.set(id, faults);
  progress.hints.set(id, reason);
  return [];
}

function describeLastAction({ done }: Progress): string {
  const last = [...done.values()].at(-1);
  return last ? `phase ${last.phase.phase_id} is complete` : "the plan was approved";
}
