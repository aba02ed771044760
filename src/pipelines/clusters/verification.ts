import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import { never, once } from "../../core/retry.ts";
import type { Tree } from "../../core/tree.ts";
import type { LoopEnd, Verbs } from "../../core/verbs.ts";
import type { Feature } from "./feature.ts";
import { implement, planTasks } from "./implementation.ts";
import { invalidated } from "./memory.ts";
import { VERIFIERS, vAggregator, vBuild } from "./roles.ts";
import { type Member, stricter, V, verificationOf } from "./rules.ts";
import { findingsIn, type Task } from "./task-files.ts";

const REPLANS = 3;

export type Verified = { readonly decision: Decision; readonly waiting: readonly Task[] };

/** Step 6: verify; then at most three times replan, fix and verify again, so that the last fix is verified too. */
export async function verify(
  verbs: Verbs<unknown>,
  feature: Feature,
  start: { base: Tree; waiting: readonly Task[]; failed: readonly Finding[] },
): Promise<LoopEnd<Verified>> {
  const { phase, loop } = verbs;
  let { waiting, failed } = start;
  return loop({ max: 1 + REPLANS }, async ({ round, findings }) => {
    if (round > 1) ({ waiting, failed } = await replanAndFix(verbs, feature, { findings, waiting }));
    phase("6 Verification");
    return { waiting, decision: await verifyOnce(verbs, feature, { base: start.base, failed }) };
  });
}

/** The planner turns findings into fix tasks; waves that never ran come after them. */
export async function replanAndFix(
  verbs: Verbs<unknown>,
  feature: Feature,
  open: { findings: readonly Finding[]; waiting: readonly Task[] },
) {
  verbs.phase("4 Planning");
  await feature.remember(invalidated(feature.memory, ["6"], "verification starts again"));
  const fixes = await planTasks(verbs, feature, { mode: "replan", findings: open.findings });
  verbs.phase("5 Implementation");
  const late = open.waiting.filter((task) => !fixes.some((fix) => fix.id === task.id));
  return implement(verbs, feature, [...fixes, ...late]);
}

async function verifyOnce(verbs: Verbs<unknown>, feature: Feature, about: { base: Tree; failed: readonly Finding[] }) {
  const { check, gate } = verbs;
  const checked = feature.tree;
  const evidence = await check(checked, { baseline: about.base, task: "integrated" });
  const build = await buildGate(verbs, feature, evidence.passed);
  const open = evidence.passed && build.status === "DONE";
  const reads = { "v-tests": [], "v-tasks": ["plan.md"], "v-feature": ["feature.md"] } as const;
  const sends = VERIFIERS.map((role) => ({
    role,
    step: "6",
    reads: ["verification/v-build.md", ...(reads[role.name as keyof typeof reads] ?? [])],
    output: `verification/${role.name}.md`,
    more: { evidence },
  }));
  const others = open ? await feature.cluster(sends) : [];
  const joined = await feature.solo({
    role: vAggregator,
    step: "6",
    reads: ["verification/v-build.md", ...others.map((member) => `verification/${member.name}.md`)],
    output: "verifier.md",
    more: { evidence },
  });
  const table = verificationOf({ buildPassed: evidence.passed, build, others });
  const aggregate = stricter(table, joined.status);
  const said = findingsIn(joined.text, vAggregator.name);
  const findings = [...about.failed, ...evidence.regressions, ...said, ...others.flatMap((member) => member.findings)];
  return gate("V", [V], { aggregate, findings, tree: checked.tree });
}

/** A red build is not retried: it would be as red the second time. */
async function buildGate({ attempt, see }: Verbs<unknown>, feature: Feature, green: boolean): Promise<Member> {
  const path = feature.at("verification/v-build.md");
  const inputs = ["initial-request.md", "memory.md", "feature.md", "design.md", "plan.md"].map(feature.at);
  const retry = green ? once() : never();
  const input = { inputs, outputs: [path], green };
  const answer = await attempt(vBuild, input, { in: feature.tree, writes: [path], retry });
  if (!answer.ok) return { name: vBuild.name, status: "ERROR", findings: [] };
  const file = await see("file", { path, in: answer.value.after });
  feature.adopt(answer.value.after);
  return { name: vBuild.name, status: file ? "DONE" : "missing", findings: findingsIn(file?.text ?? "", vBuild.name) };
}
