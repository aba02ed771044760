import { expect, test } from "vitest";
import type { JournalRecord } from "../../core/journal/record.ts";
import { composeExam } from "../../engine/execute/exam-trees/compose-exam.ts";
import { scene } from "../../workspace/scene.suite.ts";
import { verifyExams } from "./verify-exam.ts";

const FILES = { "src/slug.js": "export const slug = 1;\n", "test/slug.test.js": "// old\n" };

async function examined() {
  const at = await scene(FILES);
  const texts = [
    { path: "src/slug.js", text: "export const slug = 2;\n" },
    { path: "test/slug.test.js", text: "// new\n" },
  ];
  const now = await at.workspace.render(at.tree, texts);
  const trees = await composeExam(at.workspace, { old: at.tree, new: now });
  const back = { check: "exam-old-on-new", tree: trees.oldOnNew ?? "", halves: { code: now, exam: at.tree } };
  const forth = { check: "exam-new-on-old", tree: trees.newOnOld ?? "", halves: { code: at.tree, exam: now } };
  return { at, now, back, forth };
}

const recorded = (...sat: readonly object[]) =>
  // Only the fields that identify an exam row are read.
  sat.map((each, at) => ({ type: "evidence.recorded", seq: at + 1, ...each })) as unknown as readonly JournalRecord[];

test("recomposed exam trees match the recorded ones", async () => {
  const { at, back, forth } = await examined();
  expect(await verifyExams(at.workspace, recorded(back, forth))).toEqual({ composed: 2, gone: 0, differences: [] });
});

test("files that the run's commands start are restored too, as they were then", async () => {
  const at = await scene({ ...FILES, "all.js": "// old\n", "prepare.sh": "# old\n" });
  const texts = ["all.js", "prepare.sh"].map((path) => ({ path, text: "# new\n" }));
  const now = await at.workspace.render(at.tree, texts);
  const lines = ["sh prepare.sh", "node all.js"];
  const { oldOnNew: tree } = await composeExam(at.workspace, { old: at.tree, new: now, lines });
  const started = { type: "run.started", setup: { run: lines[0] }, commands: [{ name: "test", run: lines[1] }] };
  const back = { check: "exam-old-on-new", tree, halves: { code: now, exam: at.tree } };
  expect(await verifyExams(at.workspace, recorded(started, back))).toMatchObject({ composed: 1, differences: [] });
  expect((await verifyExams(at.workspace, recorded(back))).differences).toHaveLength(1);
});

test("a tree that is not composed of the halves it names is a difference", async () => {
  const { at, now, back } = await examined();
  const { differences } = await verifyExams(at.workspace, recorded({ ...back, tree: now }));
  expect(differences).toMatchObject([{ where: "exam", seq: 1, message: expect.stringContaining(now.slice(0, 10)) }]);
});

test("missing halves are counted and prove nothing", async () => {
  const { at, back } = await examined();
  const gone = { ...back, halves: { ...back.halves, code: "1".repeat(40) } };
  expect(await verifyExams(at.workspace, recorded(gone))).toEqual({ composed: 0, gone: 1, differences: [] });
});
