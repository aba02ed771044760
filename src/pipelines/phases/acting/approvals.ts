import type { Verbs } from "../../core/verbs.ts";
import { HIGH_RISK } from "./acting-rules.ts";
import type { Context } from "./context.ts";
import { decide } from "./events.ts";
import { giveUp } from "./outcome.ts";
import type { Phase } from "./plan.ts";
import { kindOf } from "./plan-rules.ts";
import { risksOf } from "./risks.ts";
import { isApproved, type Site } from "./site.ts";

/** One question per wave, or one per phase where any of them is risky; what is risky waits for a person in any mode. */
export async function approveWave(verbs: Verbs<unknown>, context: Context, at: Wave): Promise<void> {
  const open = at.wave.filter((phase) => !isApproved(at.site, phase));
  for (const [index, group] of groupsOf(open, context).entries()) {
    await verbs.within(`approval-${index + 1}`, () => approve(verbs, context, { ...at, group }));
  }
}

type Wave = { readonly site: Site; readonly wave: readonly Phase[] };
type Group = Wave & { readonly group: readonly Phase[] };

export function groupsOf(wave: readonly Phase[], { policy }: Pick<Context, "policy">): readonly (readonly Phase[])[] {
  if (wave.length === 0) return [];
  const apart = policy.batch_approval.approval_per === "phase";
  return apart || wave.some((phase) => risksOf(phase, policy).length > 0) ? wave.map((phase) => [phase]) : [wave];
}

async function approve(verbs: Verbs<unknown>, context: Context, at: Group): Promise<void> {
  const { site, group } = at;
  const risks = group.flatMap((phase) => risksOf(phase, context.policy));
  if (risks.length > 0) await highRisk(verbs, context, { phase: group[0], risks, confirmed: false });
  const choice = await answerTo(verbs, context, { ...at, risks });
  if (choice === "n") return giveUp(verbs, context, { site, reason: `wave ${group[0]?.wave} was refused` });
  for (const phase of group) {
    site.approved.set(phase.phase_id, phase);
    if (risks.length > 0) site.confirmed.add(phase.phase_id);
  }
  if (risks.length > 0) await highRisk(verbs, context, { phase: group[0], risks, confirmed: true });
}

type Risky = { readonly phase: Phase | undefined; readonly risks: readonly string[]; readonly confirmed: boolean };

function highRisk(verbs: Verbs<unknown>, context: Context, { phase, risks, confirmed }: Risky) {
  return decide(verbs, context, {
    type: "HIGH_RISK_APPROVAL_GATE",
    ...(phase && { phase: phase.phase_id }),
    rules: [HIGH_RISK],
    about: { risks, confirmed },
    next: { go: "the phase may be dispatched", miss: "a person is asked" },
    extras: { safety_checks: ["destructive_action_checked", "policy_checked"] },
  });
}

/** `details` shows the same question again with everything about each phase. */
async function answerTo(
  { ask }: Verbs<unknown>,
  context: Context,
  at: Group & { readonly risks: readonly string[] },
): Promise<"y" | "n"> {
  const title = titleOf(at.group);
  const phases = at.group.map((phase) => `Phase ${phase.phase_id} — ${phase.title}`);
  const risky = at.risks.length > 0;
  // Nobody confirms what they were not shown.
  const confirms = risky ? { confirms: [...new Set(at.risks)] } : {};
  const show = { phases, ...confirms, ...finishedIn(at.site), abstained: at.site.review.abstained };
  const auto = risky ? "never" : "y";
  const first = await ask({ title: `${title} (y/n/details)`, show, choices: ["y", "n", "details"], auto });
  if (first.choice !== "details") return first.choice;
  const details = at.group.map((phase) => detailsOf(phase, context));
  const { choice } = await ask({ title: `${title} (y/n)`, show: { details }, choices: ["y", "n"], auto });
  return choice;
}

export function titleOf(group: readonly Phase[]): string {
  const agents = [...new Set(group.map((phase) => phase.executor_agent))].join(", ");
  return `Wave ${group[0]?.wave}: ${group.length} phases, agents: [${agents}]. Approve all?`;
}

export function detailsOf(phase: Phase, { policy }: Pick<Context, "policy">) {
  const risks = risksOf(phase, policy);
  const level = risks.length > 0 ? "HIGH" : kindOf(phase) === "code" ? "MEDIUM" : "LOW";
  const scope = phase.files.map(({ action, path }) => `${action} ${path}`);
  const { phase_id, title, objective, executor_agent: agent } = phase;
  return { phase_id, title, objective, scope, risk_level: level, risks, agent };
}

/** The verdict of each phase that was finished since a person last looked. */
export function finishedIn(site: Site) {
  const fresh = [...site.done.values()].filter(({ phase }) => !site.shown.has(phase.phase_id));
  for (const { phase } of fresh) site.shown.add(phase.phase_id);
  const verdicts = fresh.map(({ phase, decision, verdicts, changed }) => ({
    phase: `Phase ${phase.phase_id} — ${phase.title}`,
    review: verdicts.at(-1)?.status ?? "not reviewed",
    changed,
    advisory: decision.findings.map((finding) => finding.message),
  }));
  return { verdicts };
}
