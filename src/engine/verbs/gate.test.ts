import { expect, test } from "vitest";
import { z } from "zod";
import { BASE_TREE, stage } from "../../../test/support/stage.ts";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import { sqlRule, valueRule } from "../../core/authoring/rule.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";

const tree = { tree: BASE_TREE };
const passing = (id: string, because: string) => valueRule({ id, because, judge: () => ({ passed: true }) });
const counting = (id: string, sql: string) => sqlRule({ id, because: "it counts", sql, need: 0 });
const COUNT = "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks";

async function driven(body: (verbs: Verbs<unknown>) => Promise<unknown>) {
  const pipeline = definePipeline(
    { name: "small", about: "", version: 1, input: z.unknown(), dialect: "json", phases: [{ title: "One" }], cap: 1 },
    async (verbs) => {
      verbs.phase("One");
      await body(verbs);
      return { status: "done" };
    },
  );
  return (await stage({ pipeline })).drive();
}

test("two rules of one id in a gate are refused", async () => {
  const drive = driven(({ gate }) => gate("twice", [passing("R-1", "one"), passing("R-1", "another")], { tree }));
  await expect(drive).rejects.toMatchObject({ code: "RULE_INVALID", message: expect.stringContaining("R-1") });
});

test.each([
  ["another reason", passing("R-1", "one"), passing("R-1", "another")],
  ["another text", counting("R-1", COUNT), counting("R-1", `${COUNT} WHERE passed = 1`)],
])("an id that a gate before gave to a rule with %s is refused", async (_what, before, after) => {
  const drive = driven(async ({ gate }) => {
    await gate("before", [before], { tree });
    await gate("after", [after], { tree });
  });
  await expect(drive).rejects.toMatchObject({ code: "RULE_INVALID", message: expect.stringContaining("R-1") });
});

test("the same rule may be asked by any number of gates, also one that is made anew each time", async () => {
  const end = await driven(async ({ gate }) => {
    await gate("before", [passing("R-1", "one"), counting("R-2", COUNT)], { tree });
    await gate("after", [counting("R-2", COUNT), passing("R-1", "one")], { tree });
  });
  expect(end).toMatchObject({ status: "done" });
});
