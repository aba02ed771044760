import { describe, expect, test } from "vitest";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

const dryRun = (scene: Scene, pipeline: string, ...more: readonly string[]) =>
  scene.signalbox("run", pipeline, "x", "--agents", scene.agents, "--dry-run", "--json", ...more);

describe("an unusable file in the repository", () => {
  test("does not stop other pipelines, and is named with its line", async () => {
    const scene = makeScene();
    scene.put(".signalbox/pipelines/broken.ts", "export const a = 1;\nexport const b = ;\n");
    expect((await dryRun(scene, "small")).exit).toBe(0);
    expect((await dryRun(scene, "ledger")).exit).toBe(0);
    const listed = await scene.signalbox("pipelines", "list");
    expect(listed.exit).toBe(0);
    expect(listed.out).toMatch(/^small /m);
    expect(listed.out).toContain("✗ .signalbox/pipelines/broken.ts:2 cannot be loaded: Expression expected");
    const refused = await dryRun(scene, "broken");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)).toMatchObject({ code: "PIPELINE_INVALID", message: expect.stringContaining(":2 ") });
    expect((await scene.signalbox("pipelines", "check")).exit).toBe(1);
    expect((await scene.signalbox("doctor")).out).toMatch(/! +pipelines +\.signalbox\/pipelines\/broken\.ts:2 /);
  });

  test("is not replaced by a built-in pipeline of the same name", async () => {
    const scene = makeScene();
    scene.put(".signalbox/pipelines/ours.ts", 'throw new Error("half written"); // name: "ledger"\n');
    const refused = await dryRun(scene, "ledger");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)["message"]).toMatch(/ours\.ts:1 cannot be loaded: half written/);
    expect((await dryRun(scene, "ticket", "--input", "ticket=AB-1")).exit).toBe(0);
  });

  test("stops only runs that use its driver", async () => {
    const scene = makeScene();
    scene.put(".signalbox/drivers/parrot.ts", "export const nothing = 1;\n");
    expect((await dryRun(scene, "small")).exit).toBe(0);
    const refused = await scene.signalbox("run", "small", "x", "--agent", "*=parrot", "--dry-run", "--json");
    expect(lastEvent(refused)).toMatchObject({ code: "DRIVER_INVALID", message: expect.stringContaining("parrot.ts") });
  });
});

test("a phase that the pipeline does not declare is refused before the first dispatch", async () => {
  const scene = makeScene();
  scene.put(
    ".signalbox/pipelines/typo.ts",
    [
      'import { definePipeline } from "signalbox";',
      'import { z } from "zod";',
      "export const typo = definePipeline(",
      '  { name: "typo", does: "x", input: z.object({ request: z.string() }), phases: [{ title: "Write" }, { title: "Check" }] },',
      "  async ({ phase }) => {",
      '    // phase("Nowhere") is only spoken of',
      '    phase("Write");',
      '    phase("Chekc");',
      '    return { status: "done", confidence: "low" };',
      "  },",
      ");",
      "",
    ].join("\n"),
  );
  const refused = await scene.signalbox("run", "typo", "x", "--agents", scene.agents, "--json");
  expect(refused.exit).toBe(2);
  expect(lastEvent(refused)).toMatchObject({
    code: "PIPELINE_INVALID",
    message: '.signalbox/pipelines/typo.ts:8 calls phase("Chekc"), which is not declared. Did you mean "Check"?',
  });
  const checked = await scene.signalbox("pipelines", "check", "typo");
  expect(checked.exit).toBe(1);
  expect(checked.out).toContain("typo.ts:8");
});
