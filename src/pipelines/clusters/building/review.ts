import type { Decision } from "../../core/decision.ts";
import { matchesAny } from "../../core/evidence/glob.ts";
import type { Finding } from "../../core/finding.ts";
import type { Evidence, Verbs } from "../../core/verbs.ts";
import { evidenceLine } from "../evidence-line.ts";
import { appended, DOCUMENTS, withVerdict } from "./artifacts.ts";
import type { Status } from "./contracts.ts";
import type { Feature, Order, Sent } from "./feature.ts";
import { LEFT_NOTHING, work } from "./implementation.ts";
import { fullyParallel, join } from "./patterns.ts";
import { type Doer, REVIEWERS, rAggregator, rKnowledge } from "./roles.ts";
import { type Aggregate, FIXED, MENDED, moveAfter, R, reviewOf } from "./rules.ts";
import type { Task } from "./task-files.ts";
import { type Tier, tierOf } from "./tier.ts";
import { replanAndFix, type Verified, verify } from "./verification.ts";

/** Of each there is one, and then the review that follows it. */
export const MOST_ROUNDS = 3;

export type Reviewed = { readonly decision: Decision; readonly verified: Verified };

/**
 * Step 7: review; objections go to the implementers once; what they cannot settle, and every error, goes to the
 * one replan of the run, which starts over at step 5.
 */
export async function review(verbs: Verbs<unknown>, feature: Feature, start: Verified): Promise<Reviewed> {
  let verified = start;
  let evidence = start.evidence;
  let status: Status = "DONE";
  const log = openLog(verbs, feature);
  const spent = { fixed: false, replanned: false };
  const stop = () => (moveAfter({ status, ...spent }) === "halt" ? "the one replan is spent" : undefined);

  const result = await verbs.loop({ max: MOST_ROUNDS, stop }, async ({ round, findings }) => {
    const move = round === 1 ? "review" : moveAfter({ status, ...spent });
    if (move === "fix") {
      spent.fixed = true;
      const fixed = await fixPass(verbs, feature, { tasks: verified.work.tasks, findings });
      // Work that breaks a check, or changes nothing, is not worth a reviewer's time.
      if (!fixed.decision.passed) return { decision: fixed.decision };
      evidence = fixed.evidence;
    }
    if (move === "replan") {
      spent.replanned = true;
      verified = await startOver(verbs, feature, { verified, findings });
      evidence = verified.evidence;
    }
    const reviewed = await reviewOnce(verbs, feature, { log, evidence, open: openIn(verified) });
    status = reviewed.status;
    if (!reviewed.decision.passed) await feature.doubt(["7"], "the review did not pass");
    return { decision: reviewed.decision };
  });
  return { decision: result.decision, verified };
}

async function startOver(
  verbs: Verbs<unknown>,
  feature: Feature,
  { verified, findings }: { verified: Verified; findings: readonly Finding[] },
): Promise<Verified> {
  await feature.doubt(["6"], "verification starts again");
  const { tasks } = verified.work;
  const failing = tasks.filter((task) => findings.some((finding) => owns(task, finding))).map(({ id }) => id);
  const open = { work: verified.work, report: DOCUMENTS.reviews, failing, findings };
  return verify(verbs, feature, await replanAndFix(verbs, feature, open));
}

/** Each task's agent gets its own findings; then the engine builds and tests before anybody looks again. */
async function fixPass(
  verbs: Verbs<unknown>,
  feature: Feature,
  pass: { tasks: readonly Task[]; findings: readonly Finding[] },
): Promise<{ decision: Decision; evidence: Evidence }> {
  const { within, check, gate } = verbs;
  await feature.begin("5 Implementation");
  const before = feature.tree;
  for (const { task, findings } of affected(pass.tasks, pass.findings)) {
    const answer = await within(`fix-${task.id}`, () => work(verbs, feature, { task, findings }));
    const why = answer.ok ? (answer.value.changed.length === 0 ? LEFT_NOTHING : "") : answer.failure.message;
    if (why) await feature.warn(`${task.id} could not be fixed: ${why}`);
    if (!answer.ok) continue;
    if (answer.value.outside.length > 0) await feature.violated(`${task.agent} ${task.id}`, answer.value.outside);
    feature.adopt(answer.value.after);
  }
  await feature.settle();
  const evidence = await check(feature.tree, { baseline: before, task: "fix pass" });
  const about = { evidence, tree: feature.tree.tree, before: before.tree, objections: pass.findings };
  return { decision: await gate("fix pass", [FIXED, MENDED], about), evidence };
}

/** Whose files a finding names; one that names nobody's goes to all who are asked anyway. */
export function affected(tasks: readonly Task[], findings: readonly Finding[]) {
  const homeless = findings.filter((finding) => !tasks.some((task) => owns(task, finding)));
  const owned = tasks.map((task) => ({ task, findings: findings.filter((finding) => owns(task, finding)) }));
  const some = owned.filter((each) => each.findings.length > 0);
  if (some.length === 0) return tasks.map((task) => ({ task, findings: homeless }));
  return some.map((each) => ({ ...each, findings: [...each.findings, ...homeless] }));
}

const owns = (task: Task, { files = [] }: Finding): boolean => files.some((file) => matchesAny(file, task.files));

/** What verification could not settle: reviewers know of it, whatever they make of it. */
type Open = { readonly open?: readonly Finding[] };
const openIn = ({ decision }: Verified): Open => (decision.passed ? {} : { open: decision.findings });

type Round = { readonly status: Status; readonly decision: Decision };

async function reviewOnce(
  verbs: Verbs<unknown>,
  feature: Feature,
  { log, evidence, open }: { log: Log; evidence: Evidence; open: Open },
): Promise<Round> {
  const { see, gate, write } = verbs;
  await feature.begin("7 Final review");
  const { tree, base } = feature;
  const changes = await see("changes", { from: base, to: tree });
  const tier = tierOf(changes.map(({ path }) => path).filter((path) => !path.startsWith(feature.at(""))));
  const diff = await see("diff", { from: base, to: tree, only: ["**", `!${feature.at("**")}`] });
  await feature.tell({ tier });
  const cluster = await fullyParallel(feature, [
    ...REVIEWERS.map((role) => reviewerOrder(role, { tier, diff, evidence: evidenceLine(evidence), ...open })),
    knowledgeOrder(tier),
  ]);
  const { members, there, error } = cluster;
  if (there.includes(rKnowledge.name)) await log.keep();
  const facts = [`Tier: ${tier}`, `Evidence: ${evidenceLine(evidence)}`];
  const table = error ? failed(error) : reviewOf(members);
  const { aggregate, findings } = error
    ? await unjoined(write, feature, { members, table, facts })
    : await join(write, feature, { order: aggregatorOrder(there, { tier, ...open }), members, table, facts });
  await feature.tell({ review: aggregate.status });
  return { status: aggregate.status, decision: await gate("R", [R], { aggregate, findings, tier }) };
}

const failed = (error: string): Aggregate => ({ status: "ERROR", why: `the review failed: ${error}` });

/** Too few reports for an aggregator: the planner reads what there is in the same place. */
async function unjoined(
  write: Verbs<unknown>["write"],
  feature: Feature,
  { members, table: aggregate, facts }: { members: readonly Sent[]; table: Aggregate; facts: readonly string[] },
) {
  const findings = members.flatMap((member) => member.findings);
  const text = withVerdict("# Review\n", { aggregate, said: "missing", members, findings, facts });
  await write(feature.at(DOCUMENTS.reviews), text);
  return { aggregate, findings };
}

const reviewerOrder = (role: Doer, given: { tier: Tier; diff: string; evidence: string } & Open): Order => ({
  role,
  step: "7",
  reads: [],
  outputs: [DOCUMENTS.review(role.name)],
  more: given,
});

const knowledgeOrder = (tier: Tier): Order => ({
  role: rKnowledge,
  step: "7",
  reads: [],
  outputs: [DOCUMENTS.review(rKnowledge.name), DOCUMENTS.suggestions, DOCUMENTS.decisions],
  more: { tier },
});

const aggregatorOrder = (there: readonly string[], given: { tier: Tier } & Open): Order => ({
  role: rAggregator,
  step: "7",
  reads: [...there.map(DOCUMENTS.review), ...(there.includes(rKnowledge.name) ? [DOCUMENTS.suggestions] : [])],
  outputs: [DOCUMENTS.reviews],
  more: given,
});

type Log = { keep(): Promise<void> };

/** The log of decisions only grows: a version that lost or changed an earlier line is not the one that is kept. */
function openLog({ see, write }: Verbs<unknown>, feature: Feature): Log {
  const path = feature.at(DOCUMENTS.decisions);
  let decided: string | undefined;
  return {
    async keep() {
      const before = decided ?? (await see("file", { path, in: feature.base }))?.text ?? "";
      const after = (await see("file", { path, in: feature.tree }))?.text ?? "";
      const kept = appended(before, after);
      if (kept === undefined) await feature.warn("r-knowledge changed earlier decisions: they stay as they were");
      decided = kept ?? before;
      await write(path, decided);
    },
  };
}
