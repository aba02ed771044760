import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import type { Feature } from "./feature.ts";
import { work } from "./implementation.ts";
import { REVIEWERS, rAggregator, rKnowledge } from "./roles.ts";
import { type Aggregate, R, reviewOf, stricter, tierOf } from "./rules.ts";
import { findingsIn, type Task } from "./task-files.ts";
import { replanAndFix, type Verified, verify } from "./verification.ts";

const ROUNDS = 3;

export type Start = { readonly base: Tree; readonly tasks: readonly Task[]; readonly verified: Verified };
export type Reviewed = { readonly decision: Decision; readonly verified: Verified };

/**
 * Step 7: review; objections go to the implementers once; what they cannot settle, and every error, goes to the
 * one replan of the run, which starts over at step 5.
 */
export async function review(verbs: Verbs<unknown>, feature: Feature, start: Start): Promise<Reviewed> {
  const { phase, loop } = verbs;
  let { verified } = start;
  let last: Aggregate["status"] = "DONE";
  let fixed = false;
  let replanned = false;
  const stop = () => (replanned ? "the one replan is spent" : undefined);

  const result = await loop({ max: ROUNDS, stop }, async ({ round, findings }) => {
    if (round > 1 && last === "NEEDS_REVISION" && !fixed) {
      fixed = true;
      phase("5 Implementation");
      await fixPass(verbs, feature, { tasks: start.tasks, findings });
    } else if (round > 1) {
      replanned = true;
      const left = await replanAndFix(verbs, feature, { findings, waiting: verified.waiting });
      verified = await verify(verbs, feature, { base: start.base, ...left });
    }
    phase("7 Final review");
    const { decision, aggregate } = await reviewOnce(verbs, feature, start.base);
    last = aggregate.status;
    return { decision };
  });
  return { decision: result.decision, verified };
}

async function reviewOnce({ see, gate }: Verbs<unknown>, feature: Feature, base: Tree) {
  const changes = (await see("changes", { from: base, to: feature.tree })).map((change) => change.path);
  const code = changes.filter((path) => !path.startsWith("docs/feature/"));
  const tier = tierOf(code);
  const send = (role: (typeof REVIEWERS)[number] | typeof rKnowledge) => ({
    role,
    step: "7",
    reads: [],
    output: `review/${role.name}.md`,
    more: { tier, ...(role !== rKnowledge && { changes: code }) },
    ...(role === rKnowledge && { also: ["review/knowledge-suggestions.md", "decisions.md"] }),
  });
  const members = await feature.cluster([...REVIEWERS.map(send), send(rKnowledge)]);
  const there = members.filter((member) => member.status !== "missing").map((member) => `review/${member.name}.md`);
  const joined = await feature.solo({
    role: rAggregator,
    step: "7",
    reads: there,
    output: "review.md",
    more: { tier },
  });
  const aggregate = stricter(reviewOf(members), joined.status);
  const findings = [...members.flatMap((member) => member.findings), ...findingsIn(joined.text, rAggregator.name)];
  return { aggregate, decision: await gate("R", [R], { aggregate, findings, tier }) };
}

/** Each task gets its own findings; a finding that names no file of any task goes to all of them. */
async function fixPass(
  verbs: Verbs<unknown>,
  feature: Feature,
  pass: { tasks: readonly Task[]; findings: readonly Finding[] },
) {
  for (const { task, findings } of affected(pass.tasks, pass.findings)) {
    const answer = await verbs.within(`fix-${task.id}`, () => work(verbs, feature, { task, findings }));
    if (answer.ok) feature.adopt(answer.value.after);
  }
}

export function affected(tasks: readonly Task[], findings: readonly Finding[]) {
  const owners = (finding: Finding) => tasks.filter((task) => finding.files?.some((file) => task.files.includes(file)));
  const homeless = findings.filter((finding) => owners(finding).length === 0);
  const owned = tasks.map((task) => ({ task, findings: findings.filter((finding) => owners(finding).includes(task)) }));
  const some = owned.filter((each) => each.findings.length > 0);
  if (some.length === 0) return tasks.map((task) => ({ task, findings: homeless }));
  return some.map((each) => ({ ...each, findings: [...each.findings, ...homeless] }));
}
