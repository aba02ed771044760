import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

/** Produces work, one document of the agent and one of the engine. */
const PIPELINE = `import { definePipeline, defineRole, valueRule } from "signalbox";
import { z } from "zod";

const writer = defineRole({ name: "writer", does: "Writes.", contract: z.object({}), writes: true });
const FINE = valueRule({ id: "FINE", because: "it is fine", judge: () => ({ passed: true }) });

export const told = definePipeline(
  {
    name: "told",
    does: "Work that tells how it was done",
    input: z.object({ request: z.string() }),
    documents: ["process/**"],
    phases: [{ title: "1 Work", roles: [writer] }],
  },
  async ({ input, phase, agent, check, gate, write, commit }) => {
    phase("1 Work");
    await write("process/plan.md", "# The plan\\n");
    const work = await agent(writer, input);
    await check(work.after);
    const because = [await gate("fine", [FINE], { tree: work.after.tree })];
    await commit(work.after, { message: "feat: add b", because });
    return { status: "done", confidence: "high" };
  },
);
`;

const PROCESS = ["process/notes.md", "process/plan.md"];

async function runWithDocuments(documents: string) {
  const scene = makeScene();
  scene.put(".signalbox/pipelines/told.ts", PIPELINE);
  scene.put(".signalbox/config.yaml", `documents: ${documents}\ncommands: { test: "true" }\n`);
  scene.git("add", ".");
  scene.git("commit", "-qm", "a project");
  const writes = [
    ["b.txt", "b\n"],
    ["process/notes.md", "notes\n"],
  ].map(([path, content]) => ({ write: { path, content } }));
  writeFileSync(scene.agents, JSON.stringify({ agents: [{ role: "writer", do: writes, output: {} }] }));
  const ended = await scene.signalbox("run", "told", "add b", "--agents", scene.agents, "--json");
  const last = lastEvent(ended);
  expect(last["status"], ended.out).toBe("done");
  const run = String(last["run"]);
  const listAddedFiles = (commit: string) =>
    scene.git("show", "--name-only", "--format=", commit).trim().split("\n").sort();
  const commits = scene.git("rev-list", `main..signalbox/${run}`).trim().split("\n");
  return { scene, run, commits: commits.map(listAddedFiles) };
}

test("separate documents are landed, verified and reverted together with the work", {
  timeout: 120_000,
}, async () => {
  const { scene, run, commits } = await runWithDocuments("apart");
  expect(commits).toEqual([PROCESS, ["b.txt"]]);
  const before = scene.git("rev-parse", "HEAD^{tree}");
  const verified = await scene.signalbox("evidence", run, "--verify", "--check");
  expect(verified.exit, verified.out).toBe(0);
  expect((await scene.signalbox("land", run)).exit).toBe(0);
  expect(scene.git("ls-tree", "-r", "--name-only", "HEAD")).toContain("process/plan.md");
  const reverted = await scene.signalbox("revert", run);
  expect(reverted.exit, reverted.err).toBe(0);
  expect(scene.git("rev-parse", "HEAD^{tree}")).toBe(before);
});

test("without documents only the work is committed, and the documents stay in the run's folder", {
  timeout: 60_000,
}, async () => {
  const { scene, run, commits } = await runWithDocuments("none");
  expect(commits).toEqual([["b.txt"]]);
  expect(readFileSync(join(scene.repo, `.signalbox/runs/${run}/artifacts/process/plan.md`), "utf8")).toBe(
    "# The plan\n",
  );
});

test.each([
  ["{ folder: records }", [["b.txt", ...PROCESS.map((path) => `records/${path}`)]]],
  ["with-work", [["b.txt", ...PROCESS]]],
])("with documents: %s everything is in one commit", { timeout: 300_000 }, async (documents, expected) => {
  expect((await runWithDocuments(documents)).commits).toEqual(expected);
});

test("a documents folder outside the repository is refused", async () => {
  const scene = makeScene();
  scene.put(".signalbox/config.yaml", "documents: { folder: ../elsewhere }\n");
  const refused = await scene.signalbox("run", "task", "anything", "--dry-run");
  expect(refused.err).toContain("a folder inside the repository");
});
