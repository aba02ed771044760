import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Evidence } from "../../../core/authoring/verbs.ts";
import { waves } from "../../../core/authoring/waves.ts";
import { splitIntoBatches } from "../../batches.ts";
import { formatEvidence } from "../../evidence-line.ts";
import { removeDurations } from "../../remove-durations.ts";
import { toYaml } from "../artifacts.ts";
import type { LedgerContext } from "../context.ts";
import {
  createReworkInput,
  type Draft,
  formatClaim,
  type ImplementationReport,
  narrowSpec,
  type OpenTask,
  type PastRound,
} from "../handover/rework.ts";
import type { Setup } from "../planning/setup.ts";
import { implementer, verifier } from "../roles.ts";
import { countRequiredChecks, getCommandThresholds, selectDefects, VERIFY } from "../rules.ts";

/**
 * @rule L-14 (policy) The baseline ref exists before implementation. At most four implementers run per sub-wave, sorted
 *   by dependency.
 */
export const SUB_WAVE = 4;

/** Documents that a task refers to. */
const BEHIND = ["spec-output.yaml", "design-output.yaml"] as const;

/** Feature documents belong to the roles that write them, whatever files a task declares. */
const NEVER = ["!docs/feature/**"] as const;

/** The request in the person's words, and the specification. */
export type TaskPurpose = { readonly request: string; readonly spec: Readonly<Record<string, unknown>> };

type TaskBuild = Pick<OpenTask, "task"> & {
  readonly open: OpenTask;
  readonly start: Tree;
  readonly after: Tree;
  readonly report: ImplementationReport;
};
export type JudgedTask = TaskBuild & {
  readonly decision: Decision;
  readonly evidence: Evidence;
  /** This round and earlier ones. */
  readonly past: readonly PastRound[];
};

type WaveOrder = Pick<Setup, "folder" | "commands"> & {
  /** Tree that every task of the wave starts from and is compared with. */
  readonly tree: Tree;
  readonly round: number;
  readonly tasks: readonly OpenTask[];
  readonly asked: TaskPurpose;
};

/** Splits the open tasks into sub-waves, by dependency and size. */
export const splitSubWaves = (open: readonly OpenTask[]): readonly (readonly OpenTask[])[] =>
  waves(open.map((each) => ({ ...each, ...each.task }))).flatMap((wave) => splitIntoBatches(wave, SUB_WAVE));

/** Runs one sub-wave: builds every task, then verifies each. A dispatch that fails after its retry ends the run. */
export async function runWave(context: LedgerContext, wave: WaveOrder): Promise<readonly JudgedTask[]> {
  await context.begin("5 Implement");
  const built = await buildTasks(context, wave);
  await context.begin("6 Verify");
  return verify(context, wave, built);
}

async function buildTasks(context: LedgerContext, { folder, tree, tasks }: WaveOrder): Promise<readonly TaskBuild[]> {
  const { attempt, check, parallel, write, heard, toRead } = context;
  const built = await parallel(
    tasks,
    async (open): Promise<TaskBuild | undefined> => {
      const { task } = open;
      await check(tree, { task: task.id, recordedAs: "baseline" });
      const start = await resolveStart(context, tree, open.draft);
      const advice = open.advice && { advice: open.advice };
      const behind = { ...toRead(folder, "initial-request.md", ...BEHIND), ...heard() };
      const input = { task, ...behind, ...createReworkInput(open, { start, tree }), ...advice };
      const writes = [...task.files, ...NEVER];
      const work = await attempt(implementer, input, { in: start, writes, task: getTaskName(open) });
      if (!work.ok) return undefined;
      const { after, changed, outside, by: _, status: __, error_class: ___, ...said } = work.value;
      const report = { ...said, task_id: task.id, changed, outside };
      await write(`${folder}/implementation-reports/${task.id}.yaml`, toYaml(report));
      return { task, open, start, after, report };
    },
    { key: ({ task }) => task.id },
  );
  return requireAll(context, built, "implementer");
}

const getTaskName = ({ mends, task }: OpenTask): string => mends ?? task.id;

/** Merges a draft onto the accepted work, so that the task continues. Falls back to the tree if they conflict. */
async function resolveStart({ merge }: LedgerContext, tree: Tree, draft: Draft | undefined): Promise<Tree> {
  if (!draft) return tree;
  const resumed = await merge(draft.from, [tree, draft.after]);
  return resumed.clean ? resumed.tree : tree;
}

async function verify(
  context: LedgerContext,
  wave: WaveOrder,
  built: readonly TaskBuild[],
): Promise<readonly JudgedTask[]> {
  const { check, gate, parallel } = context;
  const { commands, tree, round } = wave;
  const judged = await parallel(
    built,
    async (work): Promise<JudgedTask | undefined> => {
      const { task, start, after, report } = work;
      const evidence = await check(after, { task: task.id, baseline: tree, declared: task.files });
      const said = await requestVerdict(context, wave, work);
      if (!said) return undefined;
      // If no command is configured, only the engine's own checks can pass, and one that cannot read the files does not
      // run.
      const most = commands.length > 0 ? Number.POSITIVE_INFINITY : evidence.checks.length;
      const need = { need: Math.min(most, countRequiredChecks(task)), ...getCommandThresholds(commands, evidence) };
      const { changed = [], outside = [] } = report;
      const left = { before: [tree.tree, start.tree], changed, outside };
      const about = { task: task.id, round, ...need, tree: after.tree, evidence, said, left };
      const decision = await gate(`verified ${task.id}`, VERIFY, about);
      await writeVerdict(context, wave, { work, evidence, said, passed: decision.passed });
      const past = {
        round,
        passed: decision.passed,
        evidence: formatEvidence(evidence),
        said: said.summary ?? said.status,
      };
      const findings = selectDefects(decision.findings).map(removeOutput);
      return { ...work, decision, evidence, past: [...(work.open.past ?? []), { ...past, findings }] };
    },
    { key: ({ task }) => task.id },
  );
  return requireAll(context, judged, "verifier");
}

async function requestVerdict(
  { attempt, see, heard, toRead }: LedgerContext,
  { folder, tree, asked }: WaveOrder,
  work: TaskBuild,
) {
  const { task, open, start, after, report } = work;
  const { request, spec } = asked;
  const diff = await see("diff", { from: tree, to: after });
  const about = { task, request, spec: narrowSpec(spec, task), report: formatClaim(report), diff };
  const input = { ...about, ...toRead(folder, ...BEHIND), ...heard(), ...createReworkInput(open, { start, tree }) };
  const said = await attempt(verifier, input, { in: after, task: getTaskName(open) });
  if (!said.ok) return undefined;
  const { status, findings, summary } = said.value;
  return { status, summary, findings };
}

type VerdictRecord = {
  readonly work: TaskBuild;
  readonly evidence: Evidence;
  readonly said: NonNullable<Awaited<ReturnType<typeof requestVerdict>>>;
  readonly passed: boolean;
};

async function writeVerdict(
  { write }: LedgerContext,
  { folder, round }: WaveOrder,
  { work, evidence, said, passed }: VerdictRecord,
) {
  const { task, open } = work;
  const { regressions, tamper, findings } = evidence;
  const short = {
    regressions: regressions.map(removeOutput),
    tamper: tamper.map(removeOutput),
    findings: findings.map(removeOutput),
  };
  const seen = removeDurations({ ...evidence, ...short });
  const verdict = { task_id: task.id, round, passed, evidence: seen, said, ...(open.past && { earlier: open.past }) };
  await write(`${folder}/verification-reports/${task.id}.yaml`, toYaml(verdict));
}

/** Removes a check's output: a committed document contains its last lines already. */
const removeOutput = ({ output: _, ...finding }: Finding): Finding => finding;

/**
 * @rule L-38 (policy) A dispatch that is still in ERROR after its retry ends the run; researchers and knowledge are
 *   exempt.
 */
async function requireAll<T>(
  context: LedgerContext,
  results: readonly (T | undefined)[],
  role: string,
): Promise<readonly T[]> {
  const there = results.filter((each) => each !== undefined);
  if (there.length === results.length) return there;
  const last = context.failures().findLast((entry) => entry.agent === role);
  return context.fail(`${role} failed: ${last?.error ?? "no answer"}`);
}
