import type { Verbs } from "../../core/verbs.ts";
import { approveWave } from "./approvals.ts";
import { planPath, planText } from "./artifacts.ts";
import { questionsBefore, settle } from "./clarification.ts";
import type { Context } from "./context.ts";
import { escalate } from "./escalation.ts";
import { writeEvents } from "./events.ts";
import { capFor, routeOf } from "./failures.ts";
import { bringTogether } from "./integration.ts";
import { type PhaseResult, runPhase, type Task } from "./phase.ts";
import { closePhase } from "./phase-end.ts";
import type { Phase } from "./plan.ts";
import { nextWave, openSite, type Site, type Start, settled, standingOf } from "./site.ts";
import { statusOf } from "./status.ts";
import { listTodos, reconcile, todoOf } from "./todo.ts";

type Acting = Verbs<{ readonly request: string }>;

/** Wave after wave: one approval each, all phases of a wave at once, and the next only when all are complete. */
export async function act(verbs: Acting, context: Context, start: Start): Promise<Site> {
  const site = openSite(start);
  verbs.phase("WAITING_APPROVAL");
  await listTodos(verbs, todoOf(site.plan, []));
  for (let pass = 1; ; pass += 1) {
    const wave = nextWave(site.plan, [...site.done.keys()]);
    if (wave.length === 0) return site;
    await verbs.within(`pass-${pass}`, () => oneWave(verbs, context, { site, wave }));
  }
}

type Wave = { readonly site: Site; readonly wave: readonly Phase[] };

async function oneWave(verbs: Acting, context: Context, at: Wave): Promise<void> {
  const { site, wave } = at;
  verbs.phase("WAITING_APPROVAL");
  await reconciled(verbs, site);
  await verbs.note(statusOf(site, { state: "WAITING_APPROVAL", phases: wave, last: lastOf(site), next: "approval" }));
  const open = questionsBefore(site.plan, wave).filter(
    ({ question }) => !site.decisions.some((each) => each.question === question),
  );
  site.decisions.push(...(await settle(verbs, open)));
  await approveWave(verbs, context, at);
  verbs.phase("ACTING");
  await verbs.note(
    statusOf(site, { state: "ACTING", phases: wave, active: true, last: "the wave was approved", next: "code review" }),
  );
  const results = await dispatchWave(verbs, context, at);
  await writeEvents(verbs, context);
  const left = await gather(verbs, context, { ...at, results });
  const failed = [...results.filter((each) => !each.passed), ...left];
  if (failed.length > 0) await escalate(verbs, context, { site, failed });
}

/** The todo list says what is so, before anything is built on it. */
export async function reconciled(verbs: Verbs<unknown>, site: Site): Promise<void> {
  const todo = todoOf(site.plan, [...site.marked]);
  const complete = await reconcile(verbs, { todo, complete: [...site.done.keys()] });
  site.marked.clear();
  for (const id of complete) site.marked.add(id);
}

async function dispatchWave(verbs: Verbs<unknown>, context: Context, at: Wave): Promise<readonly PhaseResult[]> {
  const { site, wave } = at;
  const { policy } = context;
  const number = wave[0]?.wave ?? 1;
  const start = Math.min(site.plan.max_parallel_agents, policy.max_parallel_agents);
  const cap = capFor({ wave: number, start, faulty: site.faulty, budgets: policy.retry_budgets });
  const standing = standingOf(site);
  const each = (phase: Phase) =>
    runPhase(verbs, { ...context, lane: phase.phase_id }, { ...taskFor(site, phase), standing });
  const all = await verbs.parallel(wave, each, { key: (phase) => `phase-${phase.phase_id}`, cap });
  const results = all.filter((result) => result !== undefined);
  const faulty = results.filter(({ faults }) => faults.some((fault) => fault.class === "transient"));
  const before = site.faulty.get(number) ?? new Set();
  site.faulty.set(number, new Set([...before, ...faulty.map(({ phase }) => phase.phase_id)]));
  const planned = site.plan;
  for (const result of results) learn(site, result);
  // A local replan is part of the plan that people read.
  if (site.plan !== planned) await verbs.write(planPath(context.task), planText(site.plan));
  return results;
}

function learn(site: Site, result: PhaseResult): void {
  const { phase, faults } = result;
  settled(site, result);
  const known = site.faults.get(phase.phase_id)?.length ?? 0;
  site.history.push(...faults.slice(known).map((fault) => ({ phase: phase.phase_id, fault })));
  site.faults.delete(phase.phase_id);
}

function taskFor(site: Site, phase: Phase): Omit<Task, "standing"> {
  const hint = site.hints.get(phase.phase_id);
  return {
    phase,
    plan: site.plan,
    tree: site.tree,
    approved: site.approved.get(phase.phase_id)?.files.map((file) => file.path) ?? [],
    confirmed: site.confirmed.has(phase.phase_id),
    faults: site.faults.get(phase.phase_id) ?? [],
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Takes what passed onto one tree; what cannot be taken goes again by itself, as long as its budget lasts. */
async function gather(
  verbs: Verbs<unknown>,
  context: Context,
  { site, wave, results }: Wave & { readonly results: readonly PhaseResult[] },
): Promise<readonly PhaseResult[]> {
  const passed = results.filter((each) => each.passed);
  const works = passed.map(({ phase, after }) => ({ id: String(phase.phase_id), after }));
  const changes = passed.some(({ changed }) => changed.length > 0);
  const together = await bringTogether(verbs, { tree: site.tree, works, task: `wave-${wave[0]?.wave}`, changes });
  site.tree = together.tree;
  for (const result of passed) {
    const id = result.phase.phase_id;
    site.marked.add(id);
    if (!together.taken.includes(String(id))) continue;
    site.done.set(id, result);
    await verbs.within(`end-${id}`, () => closePhase(verbs, context, { site, result }));
  }
  return passed.flatMap((result) => {
    const reason = together.left.find(({ id }) => id === String(result.phase.phase_id))?.reason;
    return reason === undefined ? [] : sentBack(context, site, { result, reason });
  });
}

/** the later of two that conflict goes again with the paths; out of retries it is a person's. */
function sentBack(
  { policy }: Context,
  site: Site,
  { result, reason }: { readonly result: PhaseResult; readonly reason: string },
): readonly PhaseResult[] {
  const fault = { class: "fixable", at: "merge", reason } as const;
  const faults = [...result.faults, fault];
  const id = result.phase.phase_id;
  site.history.push({ phase: id, fault });
  const route = routeOf(
    faults.map((each) => each.class),
    policy,
  );
  if (route.go === "escalate") return [{ ...result, passed: false, faults, why: route.why }];
  site.faults.set(id, faults);
  site.hints.set(id, reason);
  return [];
}

function lastOf({ done }: Site): string {
  const last = [...done.values()].at(-1);
  return last ? `phase ${last.phase.phase_id} is complete` : "the plan was approved";
}
