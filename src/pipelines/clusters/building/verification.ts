import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import { never, once } from "../../../core/authoring/retry.ts";
import type { Evidence, LoopEnd, Verbs } from "../../../core/authoring/verbs.ts";
import { waves } from "../../../core/authoring/waves.ts";
import { formatEvidence } from "../../evidence-line.ts";
import { DOCUMENTS } from "../artifacts.ts";
import type { DocumentOrder, FeatureContext } from "../context.ts";
import { joinReports } from "../join.ts";
import { runGateThenParallel, runReplanLoop } from "../patterns.ts";
import { runReplan } from "../planning/planning.ts";
import { findFailingTasks, type ParsedPlan, type Task } from "../planning/task-files.ts";
import { VERIFIERS, vAggregator, vBuild } from "../roles.ts";
import { applyVerificationTable, classifyFailures, type FailureKind, selectFixable, V } from "../rules.ts";
import { describeEvidence, listRegressions } from "./evidence-findings.ts";
import { type BuildResult, listUnfinishedTasks, runImplementation, toTaskFinding } from "./implementation.ts";
import { assignFindings } from "./owners.ts";

/** All tasks ever planned, and the result of their last build. */
export type WorkState = { readonly tasks: readonly Task[]; readonly built: BuildResult };
export type VerificationResult = {
  readonly decision: Decision;
  readonly work: WorkState;
  /** Check results of the verified tree. */
  readonly evidence: Evidence;
  readonly failing: readonly string[];
};

/**
 * Runs step 6: the verification cluster, and after each failure the planner, the implementers and the cluster again.
 */
export function runVerification(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  start: WorkState,
): Promise<LoopEnd<VerificationResult>> {
  let last: VerificationResult | undefined;
  let work = start;
  return runReplanLoop(verbs, {
    replan: async (findings) => {
      const failing = last?.failing ?? [];
      work = await planAndFix(verbs, context, {
        work,
        report: DOCUMENTS.verifications,
        failing,
        findings: selectFixable(findings),
      });
    },
    verify: async () => {
      await context.begin("6 Verification");
      last = await verifyOnce(verbs, context, work);
      await context.tell({ verification: last.decision.passed ? "DONE" : "open" });
      if (!last.decision.passed) {
        context.trouble(`verification did not pass: ${last.decision.findings[0]?.message ?? "no reason given"}`);
        await context.doubt(["6"], "verification failed");
      }
      return last;
    },
  });
}

export type OpenWork = {
  readonly work: WorkState;
  /** Document that describes the problems. */
  readonly report: string;
  readonly failing: readonly string[];
  readonly findings: readonly Finding[];
};

/**
 * Plans fix tasks from the findings and runs them, followed by the waves that never ran.
 * @rule C-14 (code) A V failure goes to the planner in replan mode with the failing tasks from the aggregate; then the
 *   fix tasks and the whole cluster run again.
 * @rule C-46 (code) After a replan, waves that were held back run before the next V round.
 */
export async function planAndFix(verbs: Verbs<unknown>, context: FeatureContext, open: OpenWork): Promise<WorkState> {
  const { tasks, built } = open.work;
  const planned = selectFixes(await runReplan(verbs, context, { ...open, known: tasks }), open);
  await context.settle();
  const again = new Set(planned.tasks.map(({ id }) => id));
  const late = built.waiting.map((wave) => wave.filter(({ id }) => !again.has(id))).filter((wave) => wave.length > 0);
  const kept = tasks.filter(({ id }) => !again.has(id));
  const against = new Map(
    assignFindings(planned.tasks, open.findings).map(({ task, findings }) => [task.id, findings]),
  );
  const next = await runImplementation(verbs, context, {
    waves: [...planned.waves, ...late],
    stands: planned.stands,
    against,
  });
  return { tasks: [...kept, ...planned.tasks], built: next };
}

type Fixes = Pick<ParsedPlan, "tasks" | "waves"> & { readonly stands: readonly string[] };

/**
 * Selects the tasks to run after a replan. If the planner changed no task file, the failing tasks are repeated
 * unchanged.
 */
function selectFixes(planned: ParsedPlan, { work, failing }: OpenWork): Fixes {
  if (planned.tasks.length > 0) return { ...planned, stands: [] };
  const tasks = work.tasks.filter(({ id }) => failing.includes(id));
  const { failed, waiting } = work.built;
  const lost = new Set([...failed.map(({ task }) => task), ...waiting.flat()].map(({ id }) => id));
  return { tasks, waves: waves(tasks), stands: tasks.map(({ id }) => id).filter((id) => !lost.has(id)) };
}

async function verifyOnce(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  work: WorkState,
): Promise<VerificationResult> {
  const { check, gate, write } = verbs;
  const { tree } = context;
  const evidence = await check(tree, { baseline: context.base, task: "integrated" });
  const red = classifyFailures(evidence);
  const tasks = work.tasks.map(({ path }) => path.slice(context.at("").length));
  const { gate: build, others } = await runGateThenParallel(context, {
    gate: createBuildOrder(evidence, red, tasks),
    holds: red !== "build",
    rest: VERIFIERS.map((role) => createVerifierOrder(role, evidence, tasks)),
  });
  const failed = work.built.failed.map(toTaskFinding);
  const { aggregate, findings, sent } = await joinReports(write, context, {
    order: {
      role: vAggregator,
      step: "6",
      reads: [build, ...others].filter(({ after }) => after).map(({ name }) => DOCUMENTS.verification(name)),
      outputs: [DOCUMENTS.verifications],
    },
    members: [build, ...others],
    table: applyVerificationTable({ red, undone: listUnfinishedTasks(work.built), build, others }),
    findings: [...failed, ...listRegressions(evidence)],
    facts: [`Evidence: ${formatEvidence(evidence)}`],
  });
  const named = [sent, ...others].flatMap(({ text }) => findFailingTasks(text, work.tasks));
  const failing = [...new Set([...work.built.failed.map(({ task }) => task.id), ...named])];
  const decision = await gate("V", [V], { aggregate, findings, tree: tree.tree });
  return { decision, work, evidence, failing };
}

/** Builds the order for v-build. A failing build gets no retry, because it would fail again. */
function createBuildOrder(evidence: Evidence, red: FailureKind, tasks: readonly string[]): DocumentOrder {
  return {
    role: vBuild,
    step: "6",
    reads: [DOCUMENTS.feature, DOCUMENTS.design, DOCUMENTS.plan, ...tasks],
    outputs: [DOCUMENTS.verification(vBuild.name)],
    more: { evidence: describeEvidence(evidence) },
    retry: red === "build" ? never() : once(),
  };
}

/** @rule C-30 (code) Each agent gets exactly the input documents of its role. */
function createVerifierOrder(
  role: (typeof VERIFIERS)[number],
  evidence: Evidence,
  tasks: readonly string[],
): DocumentOrder {
  // Every verifier needs the feature to judge tasks and tests against.
  const own = role.name === "v-tasks" ? [DOCUMENTS.plan, ...tasks] : [];
  return {
    role,
    step: "6",
    reads: [DOCUMENTS.verification(vBuild.name), DOCUMENTS.feature, ...own],
    outputs: [DOCUMENTS.verification(role.name)],
    ...(role.name === "v-tests" && { more: { evidence: describeEvidence(evidence) } }),
  };
}
