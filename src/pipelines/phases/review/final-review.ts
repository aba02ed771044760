import type { Outcome } from "../../core/failure.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { planPath } from "./artifacts.ts";
import { type Heard, review } from "./code-review.ts";
import type { Context } from "./context.ts";
import { type Executed, execute } from "./execution.ts";
import { asFinding } from "./findings.ts";
import type { Phase, Plan } from "./plan.ts";
import { tierOf } from "./plan-rules.ts";
import { executorOf } from "./roles.ts";
import { type Site, standingOf } from "./site.ts";

/** By default, by tier, or because somebody asked. */
export function finalReviewActive(
  { policy, finalReview }: Pick<Context, "policy" | "finalReview">,
  plan: Plan,
): boolean {
  const { enabled_by_default, auto_trigger_tiers, allow_user_trigger } = policy.final_review_gate;
  if (enabled_by_default || auto_trigger_tiers.includes(tierOf(plan))) return true;
  return allow_user_trigger && finalReview === true;
}

/** One review of everything together; undefined when nobody could, and a person would not do without. */
export async function finalReview(
  verbs: Verbs<unknown>,
  context: Context,
  { site, base }: { readonly site: Site; readonly base: Tree },
): Promise<Heard | undefined> {
  const diff = await verbs.see("diff", { from: base, to: site.tree });
  const brief = {
    scope: site.plan.summary,
    context_references: [planPath(context.task)],
    review_scope: "final",
    phase_id: 0,
    changed_files: reportedFiles([...site.done.values()]),
    plan_phases_snapshot: site.plan.phases.map(({ phase_id, files }) => ({
      phase_id,
      files: files.map((file) => file.path),
    })),
    diff,
  };
  const { verdict } = await review(verbs, context, { name: "The whole work", tree: site.tree, brief, spent: [] });
  return verdict;
}

/** Each executor reports its files under names of its own. */
export function filesIn(report: Reported): readonly string[] {
  return [
    ...report.changes.map(({ file }) => file),
    ...report.ui_changes.map(({ file }) => file),
    ...report.docs_created.map(({ path }) => path),
    ...report.docs_updated.map(({ path }) => path),
  ];
}
type Reported = Pick<Executed, "changes" | "ui_changes" | "docs_created" | "docs_updated">;

export const reportedFiles = (results: readonly { readonly work?: Reported }[]): readonly string[] => [
  ...new Set(results.flatMap(({ work }) => (work ? filesIn(work) : []))),
];

/** Confirmed and serious: everything else is advice. */
export const seriousIn = (verdict: Pick<Heard, "validated_blocking_issues"> | undefined): readonly Finding[] =>
  verdict?.validated_blocking_issues.map(asFinding) ?? [];

/** The highest phase that owns the file. Readers own nothing, so a reviewer never fixes what it found. */
export function ownerOf(plan: Pick<Plan, "phases">, file: string): Phase | undefined {
  const owners = plan.phases.filter(
    (phase) => executorOf(phase.executor_agent) && phase.files.some((each) => each.path === file),
  );
  return owners.sort((a, b) => b.phase_id - a.phase_id)[0];
}

export type Fixes = { readonly owned: ReadonlyMap<number, readonly Finding[]>; readonly unowned: readonly Finding[] };

export function fixesFor(plan: Plan, issues: readonly Finding[]): Fixes {
  const owned = new Map<number, Finding[]>();
  const unowned: Finding[] = [];
  for (const issue of issues) {
    const owner = ownerOf(plan, issue.files?.[0] ?? "");
    if (owner) owned.set(owner.phase_id, [...(owned.get(owner.phase_id) ?? []), issue]);
    else unowned.push(issue);
  }
  return { owned, unowned };
}

/** Each owner settles its own issues, one after the other on the same tree. False when one of them could not. */
export async function fixByOwners(
  verbs: Verbs<unknown>,
  context: Context,
  { site, owned }: { readonly site: Site; readonly owned: Fixes["owned"] },
): Promise<boolean> {
  for (const [id, revision] of [...owned].sort(([a], [b]) => a - b)) {
    const phase = site.plan.phases.find((each) => each.phase_id === id);
    if (!phase) return false;
    const fixed = await verbs.within(`fix-${id}`, () => fix(verbs, context, { site, phase, revision }));
    if (!fixed?.ok || fixed.value.status !== "COMPLETE") return false;
    site.tree = fixed.value.after;
  }
  return true;
}

type Fix = { readonly site: Site; readonly phase: Phase; readonly revision: readonly Finding[] };

async function fix(
  verbs: Verbs<unknown>,
  context: Context,
  { site, phase, revision }: Fix,
): Promise<Outcome<Executed> | undefined> {
  const approved = site.approved.get(phase.phase_id)?.files.map((file) => file.path) ?? [];
  const confirmed = site.confirmed.has(phase.phase_id);
  const order = { phase, approved, confirmed, tree: site.tree, standing: standingOf(site), revision, spent: [] };
  const { work, faults } = await execute(verbs, context, order);
  site.history.push(...faults.map((fault) => ({ phase: phase.phase_id, fault })));
  return work;
}

export function finalReviewText({ issues }: Pick<Heard, "issues">): string {
  const lines = issues.map(
    ({ severity, description, file }) => `- ${severity}: ${description}${file ? ` (${file})` : ""}`,
  );
  return `# Final review\n\n${lines.join("\n") || "- nothing to add"}\n`;
}
