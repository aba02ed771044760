import { expect, test } from "vitest";
import { z } from "zod";
import { BASE_TREE, done, stage, world } from "../../../test/support/stage.ts";
import { definePipeline } from "../../core/pipeline.ts";

test("[A-31] only the set-up of the tree that the run began with may be kept", async () => {
  const asked = new Map<string, boolean | undefined>();
  const rest = world(() => done({}));
  const s = await stage({
    pipeline: definePipeline(
      {
        name: "checks",
        about: "a test",
        version: 1,
        input: z.unknown(),
        dialect: "json",
        phases: [{ title: "1" }],
        cap: 1,
      },
      async ({ phase, check }) => {
        phase("1");
        await check({ tree: "after" }, { baseline: { tree: BASE_TREE } });
        await check({ tree: "other" }, { baseline: { tree: "after" } });
        return { status: "done" };
      },
    ),
    order: { commands: [{ name: "test", run: "make test" }], setup: { run: "npm ci", lockFile: "package-lock.json" } },
    perform: (effect, signal) => {
      if (effect.kind === "check" && effect.request.setup) asked.set(effect.request.tree, effect.request.keep);
      return rest(effect, signal);
    },
  });
  await s.drive();
  expect(Object.fromEntries(asked)).toEqual({ [BASE_TREE]: true, after: false, other: false });
});
