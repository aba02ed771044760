import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Evidence, Verbs } from "../../core/verbs.ts";
import { reconciled } from "./acting.ts";
import { CONSISTENT, plannedFiles, WHOLE, type Whole } from "./acting-rules.ts";
import type { Heard } from "./code-review.ts";
import type { Context } from "./context.ts";
import { decide } from "./events.ts";
import { finalReview, finalReviewText, fixByOwners, fixesFor, seriousIn } from "./final-review.ts";
import { giveUp } from "./outcome.ts";
import type { Site } from "./site.ts";
import { todoOf } from "./todo.ts";

export type Completed = { readonly decision: Decision; readonly final?: Heard | undefined };
type Work = { readonly site: Site; readonly base: Tree; readonly reviews: boolean };

/** Cross-phase consistency, then one review of everything where it is active; its fixes go to the owners, once. */
export async function complete(verbs: Verbs<unknown>, context: Context, work: Work): Promise<Completed> {
  const { site, reviews } = work;
  const { max_fix_cycles } = context.policy.final_review_gate;
  let final: Heard | undefined;
  let issues: readonly Finding[] = [];
  let stuck: string | undefined;
  const result = await verbs.loop({ max: 1 + max_fix_cycles, stop: () => stuck }, async ({ round }) => {
    if (round > 1) stuck = await fixed(verbs, context, { site, issues });
    verbs.phase("REVIEWING");
    await reconciled(verbs, site);
    const whole = await look(verbs, work);
    const consistent = CONSISTENT.every((rule) => rule.judge(whole).passed);
    if (!consistent) stuck = "the phases do not fit together";
    final = reviews && consistent ? await finalReview(verbs, context, work) : undefined;
    const unheard = reviews && consistent && !final;
    issues = unheard ? [UNREVIEWED] : seriousIn(final);
    if (fixesFor(site.plan, issues).unowned.length > 0) stuck = "an issue lies in a file that no phase owns";
    return { decision: await completionGate(verbs, context, { ...whole, issues }) };
  });
  const { decision } = result;
  if (result.ended !== "passed") return { decision: await accepted(verbs, context, { site, decision }), final };
  if (final) await verbs.write(`plans/artifacts/${context.task}/final_review.md`, finalReviewText(final));
  return { decision, final };
}

const UNREVIEWED: Finding = { severity: "major", message: "nobody has reviewed the whole" };

async function fixed(
  verbs: Verbs<unknown>,
  context: Context,
  { site, issues }: { readonly site: Site; readonly issues: readonly Finding[] },
): Promise<string | undefined> {
  verbs.phase("ACTING");
  const { owned } = fixesFor(site.plan, issues);
  const done = await fixByOwners(verbs, context, { site, owned });
  return done ? undefined : "a fix of the final review was not carried out";
}

/** What there is, beside what was planned. */
async function look(verbs: Verbs<unknown>, { site, base }: Work): Promise<Whole & { readonly tree: string }> {
  const { plan, tree, done } = site;
  const changes = await verbs.see("changes", { from: base, to: tree });
  const there = changes.filter(({ status }) => status !== "deleted").map(({ path }) => path);
  const present = [...there];
  for (const path of plannedFiles(plan).filter((each) => !there.includes(each))) {
    if (await isThere(verbs, path, tree)) present.push(path);
  }
  const evidence: Evidence = await verbs.check(tree, { baseline: base, task: "whole" });
  return {
    plan,
    changed: changes.map(({ path }) => path),
    present,
    explained: explainedIn(site),
    complete: [...done.keys()],
    todo: todoOf(plan, [...site.marked]),
    evidence,
    issues: [],
    tree: tree.tree,
  };
}

async function isThere({ see }: Verbs<unknown>, path: string, tree: Tree): Promise<boolean> {
  return (await see("file", { path, in: tree })) !== null;
}

/** Deleted on purpose, or left out for a reason that the report gives. */
export function explainedIn({ done }: Pick<Site, "done">): readonly string[] {
  return [...done.values()].flatMap(({ work }) => [
    ...(work?.changes.filter(({ action }) => action === "delete").map(({ file }) => file) ?? []),
    ...(work?.not_changed.map(({ file }) => file) ?? []),
  ]);
}

function completionGate(verbs: Verbs<unknown>, context: Context, about: Whole & { readonly tree: string }) {
  return decide(verbs, context, {
    type: "COMPLETION_GATE",
    rules: WHOLE,
    about,
    asks: () => true,
    miss: () => "ABSTAIN",
    next: { go: "the completion summary is shown", miss: "the owners fix it, or a person decides" },
    extras: { safety_checks: ["scope_checked", "todo_verified"] },
  });
}

async function accepted(
  verbs: Verbs<unknown>,
  context: Context,
  { site, decision }: { readonly site: Site; readonly decision: Decision },
): Promise<Decision> {
  verbs.phase("WAITING_APPROVAL");
  const title = "The completion gate still blocks. Accept the work as it is?";
  const question = { title, show: decision.findings, choices: ["accept", "abort"], auto: "never" } as const;
  const answer = await verbs.ask({ ...question, accepts: "accept", about: site.tree });
  if (answer.choice === "accept") return answer.decision;
  return giveUp(verbs, context, { site, reason: "the completion gate was not passed" });
}
