import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { integrate } from "../integrate.ts";
import type { Context } from "./context.ts";
import type { Phase, Plan } from "./contracts.ts";
import { throttled } from "./failures.ts";
import { type PhaseResult, runPhase } from "./phase.ts";

export type Acted = { readonly plan: Plan; readonly tree: Tree; readonly done: readonly PhaseResult[] };

/** Wave after wave: one approval each, all phases of a wave at once, and the next only when all are complete. */
export async function act(verbs: Verbs<unknown>, context: Context, start: { plan: Plan; tree: Tree }): Promise<Acted> {
  const { phase: heading, within } = verbs;
  let { plan, tree } = start;
  let cap = Math.min(plan.max_parallel_agents, context.policy.max_parallel_agents);
  const done = new Map<number, PhaseResult>();
  for (let pass = 1; ; pass += 1) {
    const wave = nextWave(plan, [...done.keys()]);
    if (wave.length === 0) return { plan, tree, done: [...done.values()] };
    await within(`pass-${pass}`, async () => {
      heading("WAITING_APPROVAL");
      const approved = await approveWave(verbs, wave, [...done.values()]);
      heading("ACTING");
      const known = { plan, tree, approved, done: [...done.keys()] };
      const run = (phase: Phase) => runPhase(verbs, context, { phase, ...known });
      const all = await verbs.parallel(wave, run, { key: (phase) => `phase-${phase.phase_id}`, cap });
      const results = all.filter((each) => each !== undefined);
      const work = results
        .filter((each) => each.passed)
        .map(({ phase, after }) => ({ id: String(phase.phase_id), after }));
      const merged = await integrate(verbs, tree, work);
      tree = merged.tree;
      for (const result of results.filter((each) => merged.taken.includes(String(each.phase.phase_id)))) {
        done.set(result.phase.phase_id, result);
        await markDone(verbs, context, { plan, result, done: [...done.keys()] });
      }
      cap = throttled(cap, results.filter((each) => each.transient).length, context.policy.retry_budgets);
      const failed = results.filter((each) => !each.passed);
      if (failed.length > 0) plan = await escalate(verbs, plan, failed);
    });
  }
}

export function nextWave(plan: Pick<Plan, "phases">, done: readonly number[]): readonly Phase[] {
  const open = plan.phases.filter((phase) => !done.includes(phase.phase_id));
  const wave = Math.min(...open.map((phase) => phase.wave));
  return open.filter((phase) => phase.wave === wave);
}

/** One question per wave, or one per phase where any of them is destructive; those always wait for a person. */
async function approveWave(
  { ask, within, end }: Verbs<unknown>,
  wave: readonly Phase[],
  finished: readonly PhaseResult[],
) {
  const risky = wave.some((phase) => phase.destructive);
  const groups = risky ? wave.map((phase) => [phase]) : [wave];
  const verdicts = finished.map(({ phase, decision }) => ({ phase: phase.phase_id, findings: decision.findings }));
  for (const group of groups) {
    const agents = [...new Set(group.map((phase) => phase.executor_agent))].join(", ");
    const title = `Wave ${group[0]?.wave}: ${group.length} phases, agents: [${agents}]. Approve all? (y/n/details)`;
    const auto = group.some((phase) => phase.destructive) ? "never" : "y";
    const show = { phases: group, verdicts };
    const { choice } = await within(`phase-${group[0]?.phase_id}`, () =>
      ask({ title, show, choices: ["y", "n"], auto }),
    );
    if (choice === "n") return end({ status: "error", reason: `wave ${group[0]?.wave} was refused` });
  }
  return wave.map((phase) => phase.phase_id);
}

type Marked = { readonly plan: Plan; readonly result: PhaseResult; readonly done: readonly number[] };

/** Each todo is marked by itself, the moment its phase is complete. */
async function markDone(
  { write, note }: Verbs<unknown>,
  { task }: Context,
  { plan, result, done }: Marked,
): Promise<void> {
  const { phase, decision } = result;
  const advisory = decision.findings.map((finding) => `- ${finding.message}`).join("\n") || "- none";
  const text = `# ${phase.title}\n\n${phase.objective}\n\n## Advisory\n\n${advisory}\n`;
  await write(`plans/${task}-phase-${phase.phase_id}-complete.md`, text);
  const todo = plan.phases.map(
    ({ phase_id, title }) => `[${done.includes(phase_id) ? "x" : " "}] Phase ${phase_id} — ${title}`,
  );
  await note({ todo });
}

/** What the agents could not settle among themselves goes to a person, with the evidence. */
async function escalate(
  { phase, ask, end }: Verbs<unknown>,
  plan: Plan,
  failed: readonly PhaseResult[],
): Promise<Plan> {
  phase("WAITING_APPROVAL");
  const show = failed.map(({ phase, why, decision }) => ({ phase: phase.phase_id, why, findings: decision.findings }));
  const proposal = failed.find((each) => each.proposal)?.proposal;
  const reasons = failed.map(({ phase, why }) => `phase ${phase.phase_id}: ${why}`).join("; ");
  const title = proposal ? `Adopt a new plan? ${reasons}` : `Try again? ${reasons}`;
  const { choice } = await ask({ title, show: { failed: show, proposal }, choices: ["yes", "abort"], auto: "never" });
  return choice === "yes" ? (proposal ?? plan) : end({ status: "error", reason: reasons });
}
