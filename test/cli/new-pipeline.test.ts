import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

const ROOT = resolve(import.meta.dirname, "../..");

async function runPipeline(scene: Scene, pipeline: string, agents: string) {
  const flags = ["--agents", agents, "--approvals", "autonomous", "--json"];
  return lastEvent(await scene.signalbox("run", pipeline, "Write a note", ...flags));
}

describe("pipelines new", () => {
  test.each(["minimal", "review"])("writes a pipeline that runs to its commit unchanged: %s", async (starter) => {
    const scene = makeScene();
    const made = await scene.signalbox("pipelines", "new", "my-own", "--from", starter);
    expect(made).toMatchObject({ exit: 0, err: "" });
    expect(made.out).toContain("next: signalbox run my-own ");
    const end = await runPipeline(scene, "my-own", join(scene.repo, ".signalbox/pipelines/my-own.agents.yaml"));
    expect(end).toMatchObject({ type: "run.finished", status: "done", exit: 0, confidence: "medium" });
    expect(scene.git("show", "--stat", "--format=%s", String(end["commit"]))).toContain("NOTES.md");
  });

  test("never overwrites a file", async () => {
    const scene = makeScene();
    const file = scene.put(".signalbox/pipelines/mine.ts", "// my work\n");
    const refused = await scene.signalbox("pipelines", "new", "mine", "--json");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)["message"]).toContain("Already exists: .signalbox/pipelines/mine.ts");
    expect(readFileSync(file, "utf8")).toBe("// my work\n");
  });

  test.each(["ledger", "Upper", "../up"])("refuses the name %s", async (name) => {
    const refused = await makeScene().signalbox("pipelines", "new", name, "--json");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)).toMatchObject({ type: "error", code: "USAGE" });
  });
});

test("[U-14] the example of docs/guides/write-a-pipeline.md runs unchanged", async () => {
  const page = readFileSync(join(ROOT, "docs/guides/write-a-pipeline.md"), "utf8");
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const scene = makeScene();
  scene.put(".signalbox/pipelines/tidy.ts", code);
  expect(await runPipeline(scene, "tidy", join(ROOT, "examples/scripted-agents.yaml"))).toMatchObject({
    status: "done",
    exit: 0,
    commit: expect.any(String),
  });
});

describe("pipelines show", () => {
  test("fits 80 columns and shows every part of the pipeline", async () => {
    const { out } = await makeScene().signalbox("pipelines", "show", "ledger");
    const lines = out.trimEnd().split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const heads = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(" ")[0]);
    expect(heads).toEqual(expect.arrayContaining(["Limits", "Input", "Phases", "Roles", "Gates", "Files", "Rules"]));
    expect(out).toMatch(/max rounds +research 3, design 2/);
    expect(out).toMatch(/EG-6 +2 of 3 reviewers must approve in every category \(SQL\)/);
  });

  test("[U-13] --rules names the code that enforces each rule", async () => {
    const { out } = await makeScene().signalbox("pipelines", "show", "ledger", "--rules");
    expect(out).toMatch(/L-43 {2}[\s\S]*?gate, pipelines\/ledger\/rules\.ts#INTEGRATED/);
    const [, rules = ""] = out.split("\nRules ");
    expect(rules.match(/^ {2}L-\d\d /gm)).toHaveLength(54);
  });

  test("--json has the same as data, and a repository's pipeline without the built-in rule books", async () => {
    const scene = makeScene();
    const show = async (name: string) => JSON.parse((await scene.signalbox("pipelines", "show", name, "--json")).out);
    const ledger = await show("ledger");
    expect(ledger).toMatchObject({ name: "ledger", cap: 4, loops: { review: 2 }, input: { required: ["request"] } });
    expect(ledger.artifacts).toContainEqual({
      name: "plan-output",
      path: "docs/feature/<slug>/plan-output.yaml",
      schema: "signalbox/schemas/ledger/plan-output.json",
    });
    const own = { name: "small", loops: { writing: 2 }, gates: [], rules: [], artifacts: [] };
    expect(await show("small")).toMatchObject(own);
  });
});
