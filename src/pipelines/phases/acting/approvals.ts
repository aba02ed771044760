import type { Verbs } from "../../../core/authoring/verbs.ts";
import { pickNonEmpty } from "../../non-empty.ts";
import { giveUp } from "../closing/outcome.ts";
import { decideGate } from "../events.ts";
import type { Phase } from "../planning/plan.ts";
import type { ReviewedPlan } from "../planning/plan-review.ts";
import { getPhaseKind } from "../planning/plan-rules.ts";
import { listRisks } from "../planning/risks.ts";
import { findNextWave, isApproved, type Progress } from "../progress.ts";
import { formatVerdictWord } from "../review/code-review.ts";
import type { PhasesContext } from "../run-context.ts";
import { HIGH_RISK_RULE } from "./acting-rules.ts";
import { type FinishedPhase, formatWaveBrief, type PhaseDetails } from "./wave-brief.ts";

/**
 * Asks once per wave, or once per phase if any phase of the wave is risky. Risky phases wait for a person in every
 * mode.
 */
export async function approveWave(verbs: Verbs<unknown>, context: PhasesContext, at: PendingWave): Promise<void> {
  const open = at.wave.filter((phase) => !isApproved(at.progress, phase));
  for (const [index, group] of groupByApproval(open, context).entries()) {
    await verbs.within(`approval-${index + 1}`, () => approveGroup(verbs, context, { ...at, group }));
  }
}

/**
 * Approves the first wave together with the plan, because the person has just seen both. Still asks if a phase is risky
 * or if a reviewer abstained.
 */
export function approveWithPlan(
  progress: Progress,
  context: Pick<PhasesContext, "policy">,
  { approved, review }: Pick<ReviewedPlan, "approved" | "review">,
): void {
  const wave = findNextWave(progress.plan, [...progress.done.keys()]);
  if (!approved || review.abstained.length > 0 || groupByApproval(wave, context).length !== 1) return;
  if (wave.some((phase) => listRisks(phase, context.policy).length > 0)) return;
  for (const phase of wave) progress.approved.set(phase.phase_id, phase);
}

type PendingWave = { readonly progress: Progress; readonly wave: readonly Phase[] };
type ApprovalGroup = PendingWave & { readonly group: readonly Phase[] };

/** @rule P-34 (policy) A wave needs one approval; a wave with a destructive or production phase needs one per phase. */
export function groupByApproval(
  wave: readonly Phase[],
  { policy }: Pick<PhasesContext, "policy">,
): readonly (readonly Phase[])[] {
  if (wave.length === 0) return [];
  const apart = policy.batch_approval.approval_per === "phase";
  return apart || wave.some((phase) => listRisks(phase, policy).length > 0) ? wave.map((phase) => [phase]) : [wave];
}

async function approveGroup(verbs: Verbs<unknown>, context: PhasesContext, at: ApprovalGroup): Promise<void> {
  const { progress, group } = at;
  const risks = group.flatMap((phase) => listRisks(phase, context.policy));
  if (risks.length > 0) await judgeHighRisk(verbs, context, { phase: group[0], risks, confirmed: false });
  const { choice, note, by } = await askForWave(verbs, context, { ...at, risks });
  const suffix = note ? `: ${note}` : "";
  if (choice === "n")
    return giveUp(verbs, context, { progress, reason: `wave ${group[0]?.wave} was refused${suffix}` });
  if (note) progress.decisions.push({ question: formatWaveTitle(group), choice: `yes${suffix}`, by });
  for (const phase of group) {
    progress.approved.set(phase.phase_id, phase);
    if (risks.length > 0) progress.confirmed.add(phase.phase_id);
  }
  if (risks.length > 0) await judgeHighRisk(verbs, context, { phase: group[0], risks, confirmed: true });
}

type RiskGateInput = {
  readonly phase: Phase | undefined;
  readonly risks: readonly string[];
  readonly confirmed: boolean;
};

function judgeHighRisk(verbs: Verbs<unknown>, context: PhasesContext, { phase, risks, confirmed }: RiskGateInput) {
  return decideGate(verbs, context, {
    type: "HIGH_RISK_APPROVAL_GATE",
    ...(phase && { phase: phase.phase_id }),
    rules: [HIGH_RISK_RULE],
    about: { risks, confirmed },
    next: { go: "the phase may be dispatched", miss: "a person is asked" },
    extras: { safety_checks: ["destructive_action_checked", "policy_checked"] },
  });
}

/**
 * Asks for the wave; the choice `details` asks again and shows everything about each phase.
 * @rule P-63 (code) The wave approval prompt has a fixed wording; the answer `details` lists scope, risk level and
 *   agent per phase.
 */
async function askForWave(
  { ask }: Verbs<unknown>,
  context: PhasesContext,
  at: ApprovalGroup & { readonly risks: readonly string[] },
): Promise<WaveAnswer> {
  const title = formatWaveTitle(at.group);
  const risky = at.risks.length > 0;
  // The question lists the risks, because an approval covers only what was shown.
  const confirms = [...new Set(at.risks)];
  const { abstained } = at.progress.review;
  const { verdicts } = takeNewVerdicts(at.progress);
  const show = {
    phases: at.group.map(formatPhaseLine),
    ...pickNonEmpty({ confirms }),
    verdicts,
    ...pickNonEmpty({ abstained }),
  };
  const auto = risky ? "never" : "y";
  const read = { group: at.group, confirms, verdicts, abstained };
  const first = await ask({
    title: `${title} (y/n/details)`,
    show,
    brief: formatWaveBrief(read),
    choices: ["y", "n", "details"],
    auto,
    leads: LEADS,
  });
  if (first.choice !== "details") return { ...first, choice: first.choice };
  const details = at.group.map((phase) => toPhaseDetails(phase, context));
  return ask({
    title: `${title} (y/n)`,
    show: { ...show, details },
    brief: formatWaveBrief({ ...read, details }),
    choices: ["y", "n"],
    auto,
    leads: LEADS,
  });
}

const LEADS = {
  y: "the phases start now",
  n: "the run ends with the phases completed so far",
  details: "you see scope, steps and risks, then you are asked again",
};

type WaveAnswer = { readonly choice: "y" | "n"; readonly note?: string; readonly by: string };

function formatPhaseLine({ phase_id, title, objective, files }: Phase): string {
  const changes = files.filter(({ action }) => action === "create" || action === "modify");
  const scope = changes.map(({ action, path }) => `${action} ${path}`).join(", ") || "read-only";
  return `Phase ${phase_id} — ${title}: ${objective} (${scope})`;
}

export function formatWaveTitle(group: readonly Phase[]): string {
  const agents = [...new Set(group.map((phase) => phase.executor_agent))].join(", ");
  return `Wave ${group[0]?.wave}: ${group.length} phases, agents: [${agents}]. Approve all?`;
}

export function toPhaseDetails(phase: Phase, { policy }: Pick<PhasesContext, "policy">): PhaseDetails {
  const risks = listRisks(phase, policy);
  const level = risks.length > 0 ? "HIGH" : getPhaseKind(phase) === "code" ? "MEDIUM" : "LOW";
  const scope = phase.files.map(({ action, path }) => `${action} ${path}`);
  const { phase_id, title, objective, executor_agent: agent, steps } = phase;
  return { phase_id, title, objective, scope, steps, risk_level: level, risks, agent };
}

/**
 * Returns the verdict of each phase that finished since a person was last asked.
 * @rule P-64 (policy) The run pauses for the plan, for the verdicts of finished phases at each wave boundary, and for
 *   the completion summary before any commit.
 */
export function takeNewVerdicts(progress: Progress): { readonly verdicts: readonly FinishedPhase[] } {
  const fresh = [...progress.done.values()].filter(({ phase }) => !progress.shown.has(phase.phase_id));
  for (const { phase } of fresh) progress.shown.add(phase.phase_id);
  const verdicts = fresh.map(({ phase, decision, verdicts, changed }) => ({
    phase: `Phase ${phase.phase_id} — ${phase.title}`,
    review: verdicts.slice(-1).map(formatVerdictWord)[0] ?? "not reviewed",
    changed,
    advisory: decision.findings.map((finding) => finding.message),
  }));
  return { verdicts };
}
