import type { Decision } from "../../core/decision.ts";
import { withoutTimes } from "../../core/evidence/without-times.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Check, Evidence } from "../../core/verbs.ts";
import { yamlOf } from "./artifacts.ts";
import type { Desk } from "./desk.ts";
import type { Task } from "./plan.ts";
import { implementer, verifier } from "./roles.ts";
import { checksNeeded, commandsNeeded, VERIFY } from "./rules.ts";
import type { Setup } from "./setup.ts";

/** The documents of a feature belong to the roles that write them, whatever a task names. */
const NEVER = ["!docs/feature/**"] as const;

/** Work that did not pass, kept so that the next round can continue on it. */
type Draft = { readonly from: Tree; readonly after: Tree };
export type Open = {
  readonly task: Task;
  readonly findings: readonly Finding[];
  readonly draft?: Draft;
  /** The task of the plan that this one mends: its agents are asked under that name. */
  readonly mends?: string;
};

type Built = {
  readonly task: Task;
  readonly known: string;
  readonly start: Tree;
  readonly after: Tree;
  readonly report: Report;
};
export type Report = {
  readonly task_id: string;
  readonly summary?: string | undefined;
  readonly changes?: unknown;
  readonly changed?: readonly string[];
  readonly outside?: readonly string[];
};
export type Judged = Built & { readonly decision: Decision; readonly evidence: Evidence };

type Wave = Pick<Setup, "folder" | "commands"> & {
  /** What every task of the wave starts from, and is compared with. */
  readonly tree: Tree;
  readonly round: number;
  readonly tasks: readonly Open[];
};

/** One sub-wave: every task built by itself, then verified by itself. A dispatch that fails for good ends the run. */
export async function runWave(desk: Desk, wave: Wave): Promise<readonly Judged[]> {
  await desk.begin("5 Implement");
  const built = await implement(desk, wave);
  await desk.begin("6 Verify");
  return verify(desk, wave, built);
}

async function implement(desk: Desk, { folder, tree, tasks }: Wave): Promise<readonly Built[]> {
  const { attempt, check, parallel, write } = desk;
  const built = await parallel(
    tasks,
    async ({ task, draft, mends }): Promise<Built | undefined> => {
      const known = mends ?? task.id;
      await check(tree, { task: task.id, phase: "baseline" });
      const start = await startOf(desk, tree, draft);
      const work = await attempt(implementer, { task }, { in: start, writes: [...task.files, ...NEVER], task: known });
      if (!work.ok) return undefined;
      const { after, changed, outside, by: _, status: __, error_class: ___, ...said } = work.value;
      const report = { ...said, task_id: task.id, changed, outside };
      await write(`${folder}/implementation-reports/${task.id}.yaml`, yamlOf(report));
      return { task, known, start, after, report };
    },
    { key: ({ task }) => task.id },
  );
  return allOf(desk, built, "implementer");
}

/** A draft goes on where it stopped, on top of what was accepted meanwhile, if the two still fit. */
async function startOf({ merge }: Desk, tree: Tree, draft: Draft | undefined): Promise<Tree> {
  if (!draft) return tree;
  const resumed = await merge(draft.from, [tree, draft.after]);
  return resumed.clean ? resumed.tree : tree;
}

async function verify(desk: Desk, wave: Wave, built: readonly Built[]): Promise<readonly Judged[]> {
  const { attempt, check, gate, parallel, see, write } = desk;
  const { folder, commands, tree, round } = wave;
  const judged = await parallel(
    built,
    async (work): Promise<Judged | undefined> => {
      const { task, known, start, after, report } = work;
      const evidence = await check(after, { task: task.id, baseline: tree, declared: task.files });
      const diff = await see("diff", { from: tree, to: after });
      const said = await attempt(verifier, { task, report, diff }, { in: after, task: known });
      if (!said.ok) return undefined;
      const { status, findings, summary } = said.value;
      // Without any command only the engine's own checks are left, and one that cannot read the files has not looked.
      const most = commands.length > 0 ? Number.POSITIVE_INFINITY : evidence.checks.length;
      const need = { need: Math.min(most, checksNeeded(task)), ...commandsNeeded(commands, evidence) };
      const { changed = [], outside = [] } = report;
      const left = { before: [tree.tree, start.tree], changed, outside };
      const about = { task: task.id, round, ...need, tree: after.tree, evidence, said: { status, findings }, left };
      const decision = await gate(`verified ${task.id}`, VERIFY, about);
      const verdict = {
        task_id: task.id,
        round,
        passed: decision.passed,
        evidence: { ...evidence, checks: evidence.checks.map(timeless) },
        said: { status, summary, findings },
      };
      await write(`${folder}/verification-reports/${task.id}.yaml`, yamlOf(verdict));
      return { ...work, decision, evidence };
    },
    { key: ({ task }) => task.id },
  );
  return allOf(desk, judged, "verifier");
}

const timeless = (check: Check): Check => ({ ...check, snippet: withoutTimes(check.snippet) });

async function allOf<T>(desk: Desk, results: readonly (T | undefined)[], role: string): Promise<readonly T[]> {
  const there = results.filter((each) => each !== undefined);
  if (there.length === results.length) return there;
  const last = desk.failures().findLast((entry) => entry.agent === role);
  return desk.fail(`${role} failed: ${last?.error ?? "no answer"}`);
}
