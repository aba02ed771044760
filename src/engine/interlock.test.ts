import { expect, test } from "vitest";
import { z } from "zod";
import { stage } from "../../test/support/stage.ts";
import type { Decision } from "../core/authoring/decision.ts";
import { definePipeline } from "../core/authoring/pipeline.ts";
import { valueRule } from "../core/authoring/rule.ts";
import type { Verbs } from "../core/authoring/verbs.ts";

const OTHER_TREE = { tree: "0".repeat(40) };
const tree = { tree: "a".repeat(40) };

const SAYS = valueRule({
  id: "SAYS",
  because: "it is as it is told to be",
  judge: ({ passes, blocks }: { passes: boolean; blocks?: boolean }) => ({ passed: passes, blocked: blocks === true }),
});

/** A run that commits for the reasons that a test gives it. */
async function committed(reasons: (verbs: Verbs<unknown>) => Promise<readonly Decision[]>) {
  const pipeline = definePipeline(
    {
      name: "small",
      about: "",
      version: 1,
      input: z.unknown(),
      dialect: "json",
      phases: [{ title: "One" }, { title: "Two" }],
      cap: 1,
    },
    async (verbs) => {
      verbs.phase("One");
      const because = await reasons(verbs);
      await verbs.commit(tree, { message: "work", because });
      return { status: "done" };
    },
  );
  const effects: string[] = [];
  const s = await stage({
    pipeline,
    perform: ({ kind }) => {
      effects.push(kind);
      return { commit: "c1", branch: "b" };
    },
  });
  const { status } = await s.drive();
  const end = (await s.records()).findLast((record) => record.type === "run.finished");
  return { status, commits: effects.filter((kind) => kind === "commit").length, reason: end?.reason ?? "" };
}

test("[A-18] a passed decision about this very tree lets it be committed", async () => {
  const made = await committed(async ({ gate }) => [await gate("g", [SAYS], { passes: true, tree })]);
  expect(made).toMatchObject({ status: "done", commits: 1 });
});

test.each<[string, (verbs: Verbs<unknown>) => Promise<readonly Decision[]>, string]>([
  ["no decision", async () => [], "no decision was named"],
  ["one that did not pass", async ({ gate }) => [await gate("g", [SAYS], { passes: false, tree })], "did not pass"],
  [
    "one about another tree",
    async ({ gate }) => [await gate("g", [SAYS], { passes: true, tree: OTHER_TREE })],
    "is about another tree",
  ],
  ["one about no tree", async ({ gate }) => [await gate("g", [SAYS], { passes: true })], "does not name its tree"],
  [
    "one that the run never made",
    async ({ gate }) => {
      const made = await gate("g", [SAYS], { passes: false, tree });
      return [{ ...made, id: "forged", passed: true }];
    },
    "is not a decision of this run",
  ],
  [
    "a refusal that was made a pass on the way",
    async ({ gate }) => [{ ...(await gate("g", [SAYS], { passes: false, tree })), passed: true }],
    "did not pass",
  ],
  [
    "a good one while another gate blocks",
    async ({ gate }) => {
      await gate("other", [SAYS], { passes: false, blocks: true, tree: OTHER_TREE });
      return [await gate("g", [SAYS], { passes: true, tree })];
    },
    '"other" still blocks',
  ],
  [
    "a good one in a part while the same gate blocks in another part",
    async ({ gate, within }) => {
      await within("front", () => gate("g", [SAYS], { passes: false, blocks: true, tree }));
      return [await within("back", () => gate("g", [SAYS], { passes: true, tree }))];
    },
    '"g" still blocks',
  ],
  [
    "a good one in a part that is only called a round",
    async ({ gate, within }) => {
      await within("round-1", () => gate("g", [SAYS], { passes: false, blocks: true, tree }));
      return [await within("round-2", () => gate("g", [SAYS], { passes: true, tree }))];
    },
    '"g" still blocks',
  ],
  [
    "a good one in a branch while the same gate blocks around it",
    async ({ gate, parallel }) => {
      await gate("g", [SAYS], { passes: false, blocks: true, tree });
      const made = await parallel(["a"], () => gate("g", [SAYS], { passes: true, tree }));
      return made.filter((each) => each !== undefined);
    },
    '"g" still blocks',
  ],
])("[A-18] %s commits nothing", async (_what, reasons, why) => {
  const made = await committed(reasons);
  expect(made).toMatchObject({ commits: 0, reason: expect.stringContaining(why) });
});

test.each<[string, (verbs: Verbs<unknown>) => Promise<readonly Decision[]>]>([
  [
    "the same place",
    async ({ gate }) => {
      await gate("g", [SAYS], { passes: false, blocks: true, tree });
      return [await gate("g", [SAYS], { passes: true, tree })];
    },
  ],
  [
    "a later round",
    async ({ gate, loop }) => {
      const { decision } = await loop({ max: 2 }, async ({ round }) => ({
        decision: await gate("g", [SAYS], { passes: round === 2, blocks: round === 1, tree }),
      }));
      return [decision];
    },
  ],
  [
    "a part that repeats, whatever it is called and whichever phase it is in",
    async ({ gate, within, phase }) => {
      const judged = (passes: boolean) => gate("g", [SAYS], { passes, blocks: !passes, tree });
      await within("first", () => judged(false), { repeats: true });
      phase("Two");
      return [await within("once more", () => judged(true), { repeats: true })];
    },
  ],
])("[A-18] a gate that is asked again in %s lifts its own blocker", async (_where, reasons) => {
  expect(await committed(reasons)).toMatchObject({ status: "done", commits: 1 });
});
