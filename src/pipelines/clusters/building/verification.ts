import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import { never, once } from "../../core/retry.ts";
import type { Evidence, LoopEnd, Verbs } from "../../core/verbs.ts";
import { waves } from "../../core/waves.ts";
import { evidenceLine } from "../evidence-line.ts";
import { DOCUMENTS } from "./artifacts.ts";
import type { Feature, Order } from "./feature.ts";
import { isSerious } from "./findings.ts";
import { asFinding, type Built, implement, undoneIn } from "./implementation.ts";
import { gateThenParallel, join, replanLoop } from "./patterns.ts";
import { replan } from "./planning.ts";
import { VERIFIERS, vAggregator, vBuild } from "./roles.ts";
import { type Red, redIn, V, verificationOf } from "./rules.ts";
import { failingIn, type PlanRead, type Task } from "./task-files.ts";

/** The work so far: every task that was ever planned, and how the last round of them ended. */
export type Work = { readonly tasks: readonly Task[]; readonly built: Built };
export type Verified = {
  readonly decision: Decision;
  readonly work: Work;
  /** What the engine saw on the tree that was verified. */
  readonly evidence: Evidence;
  readonly failing: readonly string[];
};

/** Step 6: the whole cluster, and as long as it objects, the planner, the implementers and the cluster again. */
export function verify(verbs: Verbs<unknown>, feature: Feature, start: Work): Promise<LoopEnd<Verified>> {
  let last: Verified | undefined;
  let work = start;
  return replanLoop(verbs, {
    replan: async (findings) => {
      const failing = last?.failing ?? [];
      work = await replanAndFix(verbs, feature, { work, report: DOCUMENTS.verifications, failing, findings });
    },
    verify: async () => {
      await feature.begin("6 Verification");
      last = await verifyOnce(verbs, feature, work);
      await feature.tell({ verification: last.decision.passed ? "DONE" : "open" });
      if (!last.decision.passed) await feature.doubt(["6"], "verification failed");
      return last;
    },
  });
}

export type Open = {
  readonly work: Work;
  /** The document that says what is wrong. */
  readonly report: string;
  readonly failing: readonly string[];
  readonly findings: readonly Finding[];
};

/** The planner turns findings into fix tasks; after them come the waves that never ran. */
export async function replanAndFix(verbs: Verbs<unknown>, feature: Feature, open: Open): Promise<Work> {
  const { tasks, built } = open.work;
  const planned = fixesOf(await replan(verbs, feature, { ...open, known: tasks }), open);
  await feature.settle();
  const again = new Set(planned.tasks.map(({ id }) => id));
  const late = built.waiting.map((wave) => wave.filter(({ id }) => !again.has(id))).filter((wave) => wave.length > 0);
  const kept = tasks.filter(({ id }) => !again.has(id));
  const next = await implement(verbs, feature, { waves: [...planned.waves, ...late], stands: planned.stands });
  return { tasks: [...kept, ...planned.tasks], built: next };
}

type Fixes = Pick<PlanRead, "tasks" | "waves"> & { readonly stands: readonly string[] };

/** A planner that changes no task file asks for the failing tasks as they are: none of them is forgotten. */
function fixesOf(planned: PlanRead, { work, failing }: Open): Fixes {
  if (planned.tasks.length > 0) return { ...planned, stands: [] };
  const tasks = work.tasks.filter(({ id }) => failing.includes(id));
  const { failed, waiting } = work.built;
  const lost = new Set([...failed.map(({ task }) => task), ...waiting.flat()].map(({ id }) => id));
  return { tasks, waves: waves(tasks), stands: tasks.map(({ id }) => id).filter((id) => !lost.has(id)) };
}

async function verifyOnce(verbs: Verbs<unknown>, feature: Feature, work: Work): Promise<Verified> {
  const { check, gate, write } = verbs;
  const { tree } = feature;
  const evidence = await check(tree, { baseline: feature.base, task: "integrated" });
  const red = redIn(evidence);
  const tasks = work.tasks.map(({ path }) => path.slice(feature.at("").length));
  const { gate: build, others } = await gateThenParallel(feature, {
    gate: buildOrder(evidence, red, tasks),
    holds: red !== "build",
    rest: VERIFIERS.map((role) => verifierOrder(role, evidence, tasks)),
  });
  const failed = work.built.failed.map(asFinding);
  const { aggregate, findings, sent } = await join(write, feature, {
    order: {
      role: vAggregator,
      step: "6",
      reads: [build, ...others].filter(({ after }) => after).map(({ name }) => DOCUMENTS.verification(name)),
      outputs: [DOCUMENTS.verifications],
    },
    members: [build, ...others],
    table: verificationOf({ red, undone: undoneIn(work.built), build, others }),
    findings: [...failed, ...evidence.regressions, ...evidence.tamper, ...evidence.findings.filter(isSerious)],
    facts: [`Evidence: ${evidenceLine(evidence)}`],
  });
  const failing = [...new Set([...work.built.failed.map(({ task }) => task.id), ...failingIn(sent.text, work.tasks)])];
  const decision = await gate("V", [V], { aggregate, findings, tree: tree.tree });
  return { decision, work, evidence, failing };
}

/** A red build is not asked about again: it would be as red the second time. */
function buildOrder(evidence: Evidence, red: Red, tasks: readonly string[]): Order {
  return {
    role: vBuild,
    step: "6",
    reads: [DOCUMENTS.feature, DOCUMENTS.design, DOCUMENTS.plan, ...tasks],
    outputs: [DOCUMENTS.verification(vBuild.name)],
    more: { evidence },
    retry: red === "build" ? never() : once(),
  };
}

function verifierOrder(role: (typeof VERIFIERS)[number], evidence: Evidence, tasks: readonly string[]): Order {
  const reads: Readonly<Record<string, readonly string[]>> = {
    "v-tasks": [DOCUMENTS.plan, ...tasks],
    "v-feature": [DOCUMENTS.feature],
  };
  return {
    role,
    step: "6",
    reads: [DOCUMENTS.verification(vBuild.name), ...(reads[role.name] ?? [])],
    outputs: [DOCUMENTS.verification(role.name)],
    ...(role.name === "v-tests" && { more: { evidence } }),
  };
}
