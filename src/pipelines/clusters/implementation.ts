import type { Outcome } from "../../core/failure.ts";
import type { Finding } from "../../core/finding.ts";
import type { Answer, Verbs } from "../../core/verbs.ts";
import { batches } from "../batches.ts";
import { integrate } from "../integrate.ts";
import { DOCUMENTS } from "./artifacts.ts";
import type { Line } from "./contracts.ts";
import type { Feature } from "./feature.ts";
import { learned, lessonsIn, sectionsIn, updated } from "./memory.ts";
import { documentationWriter, implementer } from "./roles.ts";
import type { Task, Waves } from "./task-files.ts";

const SUB_WAVE = 4;

/** Nobody's task: the feature's own documents, definitions of agents, and the tool's settings. */
const NEVER = [
  "docs/feature/**",
  ".github/agents/**",
  ".claude/agents/**",
  ".opencode/agent/**",
  ".opencode/agents/**",
  ".signalbox/**",
] as const;

type Done = Answer<Line, true>;
/** How a task ended: what it left behind, or why there is nothing. */
type Ended = { readonly task: Task; readonly answer?: Done; readonly why?: string; readonly files?: readonly string[] };

export type Built = {
  /** Waves that were not run. */
  readonly waiting: Waves;
  readonly failed: readonly Ended[];
};

/**
 * Step 5: wave after wave. An implementer's error lets its wave finish and stops the next. Of the tasks whose work
 * `stands` nothing new is expected.
 */
export async function implement(
  verbs: Verbs<unknown>,
  feature: Feature,
  { waves, stands = [] }: { waves: Waves; stands?: readonly string[] },
): Promise<Built> {
  await feature.begin("5 Implementation");
  const failed: Ended[] = [];
  for (const [at, wave] of waves.entries()) {
    const got = await verbs.within(`wave-${at + 1}`, () => runWave(verbs, feature, wave));
    const ended = got.map((each) => (isIdle(each) && !stands.includes(each.task.id) ? idle(each) : each));
    const lost = ended.filter(({ answer }) => !answer);
    failed.push(...lost);
    await remember(verbs, feature, ended);
    if (lost.some(stops)) return { waiting: waves.slice(at + 1), failed };
  }
  return { waiting: [], failed };
}

const isIdle = ({ answer }: Ended): boolean => answer?.changed.length === 0;
export const LEFT_NOTHING = "says DONE and left nothing behind";
const idle = ({ task }: Ended): Ended => ({ task, why: LEFT_NOTHING });

/** Documents that are missing hold nobody up. */
const stops = ({ task }: Ended): boolean => task.agent !== "documentation-writer";

export const undoneIn = ({ failed, waiting }: Built): string[] =>
  [...failed.filter(stops).map(({ task }) => task), ...waiting.flat()].map(({ id }) => id);

export const asFinding = ({ task, why = "failed", files }: Ended): Finding => ({
  severity: "major",
  message: `${task.id}: ${why}`,
  by: task.agent,
  ...(files && { files: [...files] }),
});

async function runWave(verbs: Verbs<unknown>, feature: Feature, wave: readonly Task[]): Promise<readonly Ended[]> {
  const all: Ended[] = [];
  for (const [at, tasks] of batches(wave, SUB_WAVE).entries()) {
    all.push(...(await verbs.within(`part-${at + 1}`, () => runTogether(verbs, feature, tasks))));
  }
  return all;
}

async function runTogether(verbs: Verbs<unknown>, feature: Feature, tasks: readonly Task[]): Promise<readonly Ended[]> {
  const { parallel, within } = verbs;
  const base = feature.tree;
  const got = await parallel(tasks, (task) => work(verbs, feature, { task }), { key: ({ id }) => id });
  const ended = tasks.map((task, at) => endOf(task, got[at]));
  const works = ended.flatMap(({ task, answer }) => (answer ? [{ id: task.id, after: answer.after }] : []));
  const merged = await integrate(verbs, base, works);
  feature.adopt(merged.tree);
  const all: Ended[] = [];
  for (const each of ended) {
    await watch(feature, each);
    const conflict = merged.conflicts.find(({ id }) => id === each.task.id);
    all.push(conflict ? await within(`again-${conflict.id}`, () => again(verbs, feature, each.task, conflict)) : each);
  }
  return all;
}

/** Two tasks of a wave changed the same lines: the later one gets its one retry, on top of the other. */
async function again(verbs: Verbs<unknown>, feature: Feature, task: Task, { files }: { files: readonly string[] }) {
  const clash: Finding = { severity: "major", message: "your work conflicts with another task's; do it again", files };
  const ended = endOf(task, await work(verbs, feature, { task, findings: [clash] }));
  if (ended.answer) feature.adopt(ended.answer.after);
  return ended.answer ? ended : { ...ended, why: `conflicts with its wave: ${files.join(", ")}`, files };
}

function endOf(task: Task, outcome: Outcome<Done> | undefined): Ended {
  if (!outcome?.ok) return { task, why: outcome?.failure.message ?? "no answer" };
  return { task, answer: outcome.value };
}

/** One task for its agent: its file, the feature and the design; in a fix pass also what was found against it. */
export function work(
  { attempt }: Pick<Verbs<unknown>, "attempt">,
  feature: Feature,
  { task, findings }: { task: Task; findings?: readonly Finding[] },
): Promise<Outcome<Done>> {
  const role = task.agent === "documentation-writer" ? documentationWriter : implementer;
  const known = [DOCUMENTS.request, DOCUMENTS.memory, DOCUMENTS.feature, DOCUMENTS.design].map(feature.at);
  const own = [...task.files, ...task.deletes];
  const outputs = own.length > 0 ? own : ["**"];
  const input = { inputs: [...known, task.path], outputs, task: task.id, ...(findings && { findings }) };
  const delivers = task.files.filter((path) => !/[*?[{]|\/$/.test(path));
  const never = [...NEVER, ...feature.protectedPaths].map((glob) => `!${glob}`);
  return attempt(role, input, {
    in: feature.tree,
    as: task.id,
    task: task.id,
    writes: [...outputs, ...never],
    delivers,
  });
}

async function watch(feature: Feature, { task, answer }: Ended): Promise<void> {
  if (answer && answer.outside.length > 0) await feature.violated(`${task.agent} ${task.id}`, answer.outside);
}

/** Before the next wave: what was learned, and where the new documents are. A failed task puts the step in doubt. */
async function remember({ see }: Verbs<unknown>, feature: Feature, ended: readonly Ended[]): Promise<void> {
  const done = ended.flatMap(({ task, answer }) => (answer ? [{ task, answer }] : []));
  const said = done.flatMap(({ task, answer }) =>
    lessonsIn(`${answer.above ?? ""}\n${answer.message}`).map((text) => ({ by: task.agent, step: "5", text })),
  );
  let memory = learned(feature.memory, said);
  for (const { task, answer } of done.filter(({ task }) => task.agent === "documentation-writer")) {
    for (const path of answer.changed) {
      const text = (await see("file", { path, in: feature.tree }))?.text ?? "";
      const about = { by: task.agent, step: "5", path, sections: sectionsIn(text), text: answer.message };
      memory = updated(memory, about);
    }
  }
  await feature.remember(memory);
  const lost = ended.filter((each) => !each.answer && stops(each)).map(({ task }) => task.id);
  if (lost.length > 0) await feature.doubt(["5"], `${lost.join(", ")} failed`);
}
