import type { Finding } from "../../../core/authoring/finding.ts";
import type { Answer, Verbs } from "../../../core/authoring/verbs.ts";
import type { Outcome } from "../../../core/failure/failure.ts";
import { splitIntoBatches } from "../../batches.ts";
import { mergeContributions } from "../../merge-contributions.ts";
import { DOCUMENTS } from "../artifacts.ts";
import type { FeatureContext } from "../context.ts";
import type { LineAnswer } from "../contracts.ts";
import { addLessons, addUpdate, listSectionTitles, parseLessons } from "../memory/memory.ts";
import type { Task, Waves } from "../planning/task-files.ts";
import { documentationWriter, implementer } from "../roles.ts";
import { listNewFailures } from "./evidence-findings.ts";

/** @rule C-05 (policy) At most four agents run at once; larger waves are split into sub-waves. */
const SUB_WAVE = 4;

/**
 * Paths that no task may change: feature documents, agent definitions and this tool's settings.
 * @rule C-26 (declaration) Changes outside an agent's output list are discarded and recorded as violations.
 *   `docs/feature/`, agent definitions, this tool's settings and protected paths belong to no task.
 */
const NEVER = [
  "docs/feature/**",
  ".github/agents/**",
  ".claude/agents/**",
  ".opencode/agent/**",
  ".opencode/agents/**",
  ".signalbox/**",
] as const;

type TaskAnswer = Answer<LineAnswer, true>;
/** Result of a task: its answer, or the reason why there is none. */
type TaskOutcome = {
  readonly task: Task;
  readonly answer?: TaskAnswer;
  readonly why?: string;
  readonly files?: readonly string[];
};

export type BuildOrder = {
  readonly waves: Waves;
  readonly stands?: readonly string[];
  /** Findings on a task, by its id. */
  readonly against?: ReadonlyMap<string, readonly Finding[]>;
};

export type BuildResult = {
  /** Waves that did not run. */
  readonly waiting: Waves;
  readonly failed: readonly TaskOutcome[];
};

/**
 * Runs step 5, wave by wave. If an implementer fails, its wave finishes and no further wave starts. Tasks in `stands`
 * may finish without changes.
 * @rule C-12 (policy) If an implementer returns ERROR again after its retry, its wave finishes, no further wave starts,
 *   and the run continues with verification.
 */
export async function runImplementation(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  { waves, stands = [], against = new Map() }: BuildOrder,
): Promise<BuildResult> {
  await context.begin("5 Implementation");
  const failed: TaskOutcome[] = [];
  let red: readonly Finding[] = [];
  for (const [at, wave] of waves.entries()) {
    const orders = wave.map((task) => ({ task, findings: against.get(task.id) ?? [], red }));
    const got = await verbs.within(`wave-${at + 1}`, () => runWave(verbs, context, orders), { repeats: true });
    const ended = got.map((each) =>
      isUnchanged(each) && !stands.includes(each.task.id) ? toUnchangedResult(each) : each,
    );
    const lost = ended.filter(({ answer }) => !answer);
    failed.push(...lost);
    await remember(verbs, context, ended);
    for (const each of lost.filter((one) => !isBlockingTask(one))) await warnMissedDocument(context, each);
    if (lost.some(isBlockingTask)) return { waiting: waves.slice(at + 1), failed };
    if (at + 1 < waves.length) red = await checkAfterWave(verbs, context, at + 1);
  }
  return { waiting: [], failed };
}

/**
 * Checks the tree after a wave, so that the next wave knows which checks fail. The old tests are run later, on the
 * whole change.
 */
async function checkAfterWave(
  { check }: Verbs<unknown>,
  context: FeatureContext,
  wave: number,
): Promise<readonly Finding[]> {
  const before = await check(context.base, { recordedAs: "baseline" });
  const red = listNewFailures(before, await check(context.tree, { task: `wave ${wave}` }));
  if (red.length > 0) await context.warn(`after wave ${wave}: ${red.map(({ message }) => message).join("; ")}`);
  return red;
}

const warnMissedDocument = (context: FeatureContext, { task, why }: TaskOutcome): Promise<void> =>
  context.warn(`${task.id}: ${task.files.join(", ") || "its document"} was not written: ${why ?? "the task failed"}`);

const isUnchanged = ({ answer }: TaskOutcome): boolean => answer?.changed.length === 0;
export const LEFT_NOTHING = "reports DONE but changed no file";
const toUnchangedResult = ({ task }: TaskOutcome): TaskOutcome => ({ task, why: LEFT_NOTHING });

/** @rule C-36 (policy) A failed documentation-writer is recorded and holds up no later wave. */
const isBlockingTask = ({ task }: TaskOutcome): boolean => task.agent !== "documentation-writer";

export const listUnfinishedTasks = ({ failed, waiting }: BuildResult): string[] =>
  [...failed.filter(isBlockingTask).map(({ task }) => task), ...waiting.flat()].map(({ id }) => id);

export const toTaskFinding = ({ task, why = "failed", files }: TaskOutcome): Finding => ({
  severity: "major",
  message: `${task.id}: ${why}`,
  by: task.agent,
  ...(files && { files: [...files] }),
});

async function runWave(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  wave: readonly TaskOrder[],
): Promise<readonly TaskOutcome[]> {
  const all: TaskOutcome[] = [];
  for (const [at, orders] of splitIntoBatches(wave, SUB_WAVE).entries()) {
    all.push(...(await verbs.within(`part-${at + 1}`, () => runTogether(verbs, context, orders))));
  }
  return all;
}

async function runTogether(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  orders: readonly TaskOrder[],
): Promise<readonly TaskOutcome[]> {
  const { parallel, within } = verbs;
  const base = context.tree;
  const got = await parallel(orders, (order) => dispatchTask(verbs, context, order), { key: ({ task }) => task.id });
  const ended = orders.map(({ task }, at) => toTaskOutcome(task, got[at]));
  const works = ended.flatMap(({ task, answer }) => (answer ? [{ id: task.id, after: answer.after }] : []));
  const merged = await mergeContributions(verbs, base, works);
  context.adopt(merged.tree);
  const all: TaskOutcome[] = [];
  for (const each of ended) {
    await watch(context, each);
    if (each.answer) context.delivered.set(each.task.id, each.answer.changed);
    const conflict = merged.conflicts.find(({ id }) => id === each.task.id);
    all.push(
      conflict
        ? await within(`again-${conflict.id}`, () => repeatTask(verbs, context, each.task, conflict), { repeats: true })
        : each,
    );
  }
  return all;
}

/** Repeats a task that conflicts with another task of its wave, on top of the merged tree. This is its one retry. */
async function repeatTask(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  task: Task,
  { files }: { files: readonly string[] },
) {
  const clash: Finding = {
    severity: "major",
    message: "your work conflicts with another task of the wave: repeat it on this tree",
    files,
  };
  const ended = toTaskOutcome(task, await dispatchTask(verbs, context, { task, findings: [clash], isLost: true }));
  if (ended.answer) context.adopt(ended.answer.after);
  return ended.answer ? ended : { ...ended, why: `conflicts with its wave: ${files.join(", ")}`, files };
}

function toTaskOutcome(task: Task, outcome: Outcome<TaskAnswer> | undefined): TaskOutcome {
  if (!outcome?.ok) return { task, why: outcome?.failure.message ?? "no answer" };
  return { task, answer: outcome.value };
}

export type TaskOrder = {
  readonly task: Task;
  /** Findings on this task. */
  readonly findings?: readonly Finding[];
  /** Checks that already fail on the tree that the task starts from. */
  readonly red?: readonly Finding[];
  /** True if the task's previous work is not in that tree. */
  readonly isLost?: boolean;
};

/**
 * Dispatches a task with its file, the feature and the design; in rework also with the findings and its previous
 * delivery.
 */
export function dispatchTask(
  { attempt }: Pick<Verbs<unknown>, "attempt">,
  context: FeatureContext,
  { task, findings = [], red = [], isLost = false }: TaskOrder,
): Promise<Outcome<TaskAnswer>> {
  const role = task.agent === "documentation-writer" ? documentationWriter : implementer;
  const known = [DOCUMENTS.request, DOCUMENTS.memory, DOCUMENTS.feature, DOCUMENTS.design].map(context.at);
  const own = [...task.files, ...task.deletes];
  const outputs = own.length > 0 ? own : ["**"];
  const before = context.delivered.get(task.id);
  const input = {
    inputs: [...known, task.path],
    outputs,
    task: task.id,
    ...(findings.length > 0 && { findings }),
    ...(red.length > 0 && { red }),
    ...(before && { before: { delivered: before, in_your_tree: !isLost } }),
  };
  const delivers = task.files.filter((path) => !/[*?[{]|\/$/.test(path));
  const never = [...NEVER, ...context.protectedPaths].map((glob) => `!${glob}`);
  return attempt(role, input, {
    in: context.tree,
    as: task.id,
    task: task.id,
    writes: [...outputs, ...never],
    delivers,
  });
}

async function watch(context: FeatureContext, { task, answer }: TaskOutcome): Promise<void> {
  if (answer && answer.outside.length > 0) await context.violated(`${task.agent} ${task.id}`, answer.outside);
}

/**
 * Updates the memory before the next wave: lessons, entries for new documents, and a mark on the step if a task failed.
 */
async function remember(
  { see }: Verbs<unknown>,
  context: FeatureContext,
  ended: readonly TaskOutcome[],
): Promise<void> {
  const done = ended.flatMap(({ task, answer }) => (answer ? [{ task, answer }] : []));
  const said = done.flatMap(({ task, answer }) =>
    parseLessons(`${answer.above ?? ""}\n${answer.message}`).map((text) => ({ by: task.agent, step: "5", text })),
  );
  let memory = addLessons(context.memory, said);
  for (const { task, answer } of done.filter(({ task }) => task.agent === "documentation-writer")) {
    for (const path of answer.changed) {
      const text = (await see("file", { path, in: context.tree }))?.text ?? "";
      const about = { by: task.agent, step: "5", path, sections: listSectionTitles(text), text: answer.message };
      memory = addUpdate(memory, about);
    }
  }
  await context.remember(memory);
  const lost = ended.filter((each) => !each.answer && isBlockingTask(each)).map(({ task }) => task.id);
  if (lost.length > 0) await context.doubt(["5"], `${lost.join(", ")} failed`);
}
