import { z } from "zod";
import type { End } from "../../src/core/authoring/end.ts";
import { definePipeline, type Pipeline } from "../../src/core/authoring/pipeline.ts";
import { once } from "../../src/core/authoring/retry.ts";
import { defineRole } from "../../src/core/authoring/role.ts";
import { sqlRule, valueRule } from "../../src/core/authoring/rule.ts";
import type { Verbs } from "../../src/core/authoring/verbs.ts";
import { scenarios as bodies } from "../support/answers.ts";
import { done, failed, world } from "../support/stage.ts";
import type { Scenario } from "./lives.ts";

const worker = defineRole({ name: "worker", does: "works", contract: z.object({ n: z.number() }) });
const writer = defineRole({ name: "writer", does: "writes", contract: z.object({ n: z.number() }), writes: true });
const enough = valueRule<{ round: number }>({
  id: "V-1",
  because: "two rounds",
  judge: ({ round }) => ({ passed: round >= 2 }),
});
const checked = sqlRule({
  id: "S-1",
  because: "a check passed on this tree",
  sql: "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run AND tree = :tree AND passed = 1",
  need: 1,
});

const phases = [{ title: "1 Look" }, { title: "2 Work" }, { title: "3 Land" }];
const createPipeline = (body: (v: Verbs<unknown>) => Promise<End>): Pipeline =>
  definePipeline(
    {
      name: "everything",
      about: "every verb once",
      version: 1,
      input: z.unknown(),
      dialect: "json",
      phases,
      cap: 3,
      retry: once(),
    },
    body,
  );

/** Every verb, nested, with a retry, a question, a pause and a commit. */
const everything = createPipeline(async (v) => {
  v.phase("1 Look");
  const head = await v.see("head");
  await v.note({ at: "start" });
  await v.act("tell", async ({ key }) => ({ toldUnder: key }));
  const seen = await v.parallel(["a", "b", "c"], (focus) => v.agent(worker, { focus }), { atLeast: 2 });
  const go = await v.ask({ title: "Go on?", show: seen, choices: ["yes", "no"], auto: "yes" });
  if (go.choice === "no") return { status: "error", reason: "no" };
  v.phase("2 Work");
  const worked = await v.loop({ max: 3 }, async ({ round, findings }) => {
    const parts = await v.parallel(["x", "y"], async (part) => {
      const built = await v.agent(writer, { part, findings: findings.length }, { in: head });
      await v.check(built.after, { task: part, baseline: head });
      return built.after;
    });
    const merged = await v.merge(
      head,
      parts.flatMap((part) => (part ? [part] : [])),
    );
    const tree = merged.clean ? merged.tree : head;
    await v.write("notes.md", `round ${round}\n`);
    await v.check(tree, { baseline: head });
    return { tree, decision: await v.gate("enough", [enough, checked], { round, tree: tree.tree }) };
  });
  await v.pause("look at it", { rounds: worked.rounds });
  v.phase("3 Land");
  const { commit } = await v.commit(worked.tree, { message: "feat: everything", because: [worked.decision] });
  return { status: "done", confidence: "high", reason: commit };
});

const perform = world((request) => {
  const { part, focus } = request.input as { part?: string; focus?: string };
  if (focus === "b" && request.attempt === 1) return failed();
  return part ? done({ n: 1 }, `${part}-${request.round}`) : done({ n: 1 });
});

const own: Scenario = {
  name: "every verb",
  pipeline: everything,
  input: {},
  approvals: "interactive",
  commands: [{ name: "test", run: "make test" }],
  perform: (effect) => perform(effect, new AbortController().signal),
  answer: () => "yes",
};

export const scenarios: readonly Scenario[] = [own, ...bodies];

/** The same step with the same input under another heading: only its location distinguishes it. */
const createPhaseScenario = (title: string): Scenario => ({
  ...own,
  name: `moved to ${title}`,
  pipeline: createPipeline(async (v) => {
    v.phase("1 Look");
    if (title !== "1 Look") v.phase(title);
    await v.agent(worker, {});
    if (title === "1 Look") v.phase("2 Work");
    await v.ask({ title: "Go on?", show: 1, choices: ["yes"], auto: "never" });
    return { status: "done" };
  }),
});
export const movedStep = { before: createPhaseScenario("1 Look"), after: createPhaseScenario("2 Work") };
