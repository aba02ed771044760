import { expect, test } from "vitest";
import { createWork, run, scene } from "../scene.suite.ts";

test("every file that differs is listed once, a rename with both names, with added and removed lines", async () => {
  const long = "a line\n".repeat(20);
  const stage = await scene({ "a.txt": "one\ntwo\n", "old [x].txt": long, "gone.txt": "quite another text\n" });
  const commit = await createWork(stage, "r1", {
    "a.txt": "one\n2\n3\n",
    "old [x].txt": null,
    "new ü.txt": `${long}more\n`,
    "gone.txt": null,
    "tab\there.txt": "x\n\n\n",
  });
  expect(await stage.workspace.changedFiles(stage.commit, commit)).toEqual([
    { path: "a.txt", status: "M", added: 2, removed: 1, binary: false },
    { path: "gone.txt", status: "D", added: 0, removed: 1, binary: false },
    { path: "new ü.txt", oldPath: "old [x].txt", status: "R", added: 1, removed: 0, binary: false },
    { path: "tab\there.txt", status: "A", added: 3, removed: 0, binary: false },
  ]);
});

test("a binary file is marked as one", async () => {
  const stage = await scene({ "a.bin": "\u0000\u0001" });
  const commit = await createWork(stage, "r1", { "a.bin": "\u0000\u0002" });
  expect(await stage.workspace.changedFiles(stage.commit, commit)).toEqual([
    { path: "a.bin", status: "M", added: 0, removed: 0, binary: true },
  ]);
});

test("the diff of one path is its own, whatever the name means elsewhere", async () => {
  const stage = await scene({ "*.txt": "1\n", "a.txt": "1\n" });
  const commit = await createWork(stage, "r1", { "*.txt": "2\n", "a.txt": "2\n" });
  const { text, cut } = await stage.workspace.patch(stage.commit, commit, ["*.txt"]);
  expect(text.match(/^\+\+\+ .*$/gm)).toEqual(["+++ b/*.txt"]);
  expect(cut).toBe(false);
  await expect(stage.workspace.patch("--output=x", commit, ["a.txt"])).rejects.toMatchObject({ code: "INPUT_INVALID" });
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
});
