import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { waves } from "../../core/waves.ts";
import { batches } from "../batches.ts";
import { integrate } from "../integrate.ts";
import { yamlOf } from "./artifacts.ts";
import type { Task } from "./contracts.ts";
import { writePlan } from "./planning.ts";
import { implementer, planner, verifier } from "./roles.ts";
import { checksNeeded, INTEGRATED, VERIFY } from "./rules.ts";
import type { Setup } from "./setup.ts";

const ITERATIONS = 3;
const SUB_WAVE = 4;

/** Work that did not pass, kept so that the second round can continue on it. */
type Draft = { readonly from: Tree; readonly after: Tree };
type Open = { readonly task: Task; readonly findings: readonly Finding[]; readonly draft?: Draft };
type Built = {
  readonly task: Task;
  readonly after: Tree;
  readonly report: unknown;
  readonly changed: readonly string[];
};
type Judged = Built & { readonly decision: Decision };

/** Steps 5 and 6: sub-waves of work, each task verified by itself, then everything once together. */
export async function implementAndVerify(
  verbs: Verbs<unknown>,
  setup: Setup,
  known: { tasks: readonly Task[]; design: unknown; spec: unknown },
) {
  const { phase, agent, loop, check, gate, within } = verbs;
  const { slug, folder, baseline } = setup;
  const { design, spec } = known;
  const accepted = new Set<string>();
  let tree: Tree = baseline;
  let open: readonly Open[] = known.tasks.map((task) => ({ task, findings: [] }));

  const result = await loop({ max: ITERATIONS }, async ({ round, findings }) => {
    if (round > 1) {
      phase("4 Plan");
      const replan = await agent(planner, {
        mode: "replan",
        design,
        spec,
        findings,
        open: open.map(({ task }) => task),
      });
      await writePlan(verbs, folder, replan.tasks);
      // What was accepted stays accepted, also when the planner names it again.
      const again = replan.tasks.filter((task) => !accepted.has(task.id));
      open = again.map((task) => ({ ...open.find((each) => each.task.id === task.id), task, findings: [] }));
    }
    const left: Open[] = [];
    for (const [at, wave] of subWaves(open).entries()) {
      await within(`wave-${at + 1}`, async () => {
        // The third round drops what the failed tasks left behind; accepted work is in the tree already.
        const built = await implementWave(
          verbs,
          tree,
          round < ITERATIONS ? wave : wave.map(({ draft: _, ...rest }) => rest),
        );
        const judged = await verifyWave(verbs, { folder, tree, round, built });
        const passed = judged.filter((each) => each.decision.passed);
        const merged = await integrate(
          verbs,
          tree,
          passed.map(({ task, after }) => ({ id: task.id, after })),
        );
        left.push(...belowThreshold(judged, merged.conflicts, tree));
        for (const id of merged.taken) accepted.add(id);
        tree = merged.tree;
      });
    }
    open = left;
    phase("6 Verify");
    const whole = await check(tree, { baseline, task: `${slug}-integrated` });
    const about = { tree: tree.tree, whole, findings: open.flatMap((each) => each.findings) };
    return { tree, whole, decision: await gate("integrated", [INTEGRATED], about) };
  });
  return { tree: result.tree, whole: result.whole, decision: result.decision, exhausted: result.ended !== "passed" };
}

async function implementWave(verbs: Verbs<unknown>, tree: Tree, wave: readonly Open[]): Promise<readonly Built[]> {
  const { phase, agent, check, merge, parallel } = verbs;
  phase("5 Implement");
  const built = await parallel(
    wave,
    async ({ task, draft }) => {
      await check(tree, { task: task.id, phase: "baseline" });
      const resumed = draft ? await merge(draft.from, [tree, draft.after]) : undefined;
      const start = resumed?.clean ? resumed.tree : tree;
      const work = await agent(implementer, { task }, { in: start, writes: task.files, task: task.id });
      return {
        task,
        after: work.after,
        changed: work.changed,
        report: { summary: work.summary, changes: work.changes },
      };
    },
    { key: ({ task }) => task.id },
  );
  return built.filter((each) => each !== undefined);
}

async function verifyWave(
  verbs: Verbs<unknown>,
  wave: { folder: string; tree: Tree; round: number; built: readonly Built[] },
) {
  const { phase, agent, check, gate, parallel, write } = verbs;
  const { folder, tree, round } = wave;
  phase("6 Verify");
  const judged = await parallel(
    wave.built,
    async (built): Promise<Judged> => {
      const { task, after, report, changed } = built;
      const evidence = await check(after, { task: task.id, baseline: tree });
      const said = await agent(verifier, { task, report, changed, evidence }, { in: after, task: task.id });
      const about = { task: task.id, round, need: checksNeeded(task), tree: after.tree, evidence, said };
      const decision = await gate(`verified ${task.id}`, VERIFY, about);
      await write(`${folder}/implementation-reports/${task.id}.yaml`, yamlOf(report));
      await write(
        `${folder}/verification-reports/${task.id}.yaml`,
        yamlOf({ evidence, said, passed: decision.passed }),
      );
      return { ...built, decision };
    },
    { key: ({ task }) => task.id },
  );
  return judged.filter((each) => each !== undefined);
}

const subWaves = (open: readonly Open[]): readonly (readonly Open[])[] =>
  waves(open.map((each) => ({ ...each, ...each.task }))).flatMap((wave) => batches(wave, SUB_WAVE));

function belowThreshold(
  judged: readonly Judged[],
  conflicts: readonly { readonly id: string; readonly files: readonly string[] }[],
  from: Tree,
): Open[] {
  return judged.flatMap(({ task, after, decision }) => {
    const conflict = conflicts.find((each) => each.id === task.id);
    if (decision.passed && !conflict) return [];
    const clash: Finding[] = conflict
      ? [{ severity: "major", message: `${task.id} conflicts with a task of its wave`, files: conflict.files }]
      : [];
    const below: Finding = { severity: "major", message: `${task.id} is below its threshold`, files: task.files };
    return [{ task, findings: [below, ...decision.findings, ...clash], draft: { from, after } }];
  });
}
