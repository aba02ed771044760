import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CommitOrder } from "../../core/ports/workspace.ts";
import { fill, fingerprint, run, type Scene, scene } from "../scene.suite.ts";

const DATE = Date.UTC(2026, 10, 15, 12, 0, 0);

test("a commit has the tree, the parent, fixed names, the order's date and the run in its trailers", async () => {
  const stage = await scene();
  const order = await orderOn(stage);
  const { commit, branch } = await stage.workspace.commit(order);
  expect(branch).toBe("signalbox/r1");
  const format = "%T%n%P%n%an <%ae>%n%cn <%ce>%n%aI%n%cI%n%B";
  expect(run(stage.repo, ["log", "-1", `--format=${format}`, "signalbox/r1"]).split("\n")).toEqual([
    order.tree,
    stage.commit,
    "Signalbox <signalbox@localhost>",
    "Signalbox <signalbox@localhost>",
    "2026-11-15T12:00:00+00:00",
    "2026-11-15T12:00:00+00:00",
    "Do the work",
    "",
    "Signalbox-Run: r1",
  ]);
  expect(run(stage.repo, ["rev-parse", "signalbox/r1"])).toBe(commit);
});

test("the same order given twice makes the same commit once", async () => {
  const stage = await scene();
  const order = await orderOn(stage);
  const first = await stage.workspace.commit(order);
  const before = await fingerprint(stage.repo);
  expect(await stage.workspace.commit(order)).toEqual(first);
  expect(await fingerprint(stage.repo)).toEqual(before);
  const both = await Promise.all([stage.workspace.commit(order), stage.workspace.commit(order)]);
  expect(both).toEqual([first, first]);
});

test("a locked branch is a problem of the machine, and the order succeeds afterwards", {
  timeout: 60_000,
}, async () => {
  const stage = await scene();
  const order = await orderOn(stage);
  const lock = join(stage.repo, ".git/refs/heads/signalbox/r1.lock");
  await fill(stage.repo, { ".git/refs/heads/signalbox/r1.lock": "" });
  await expect(stage.workspace.commit(order)).rejects.toMatchObject({
    code: "GIT_FAILED",
    message: expect.stringContaining("because another process has locked it"),
  });
  await rm(lock);
  expect((await stage.workspace.commit(order)).branch).toBe("signalbox/r1");
});

test("many concurrent calls with one order make one commit", async () => {
  const stage = await scene();
  const order = await orderOn(stage);
  const made = await Promise.all(Array.from({ length: 8 }, () => stage.workspace.commit(order)));
  expect(new Set(made.map(({ commit }) => commit)).size).toBe(1);
  expect(run(stage.repo, ["rev-list", "--count", "signalbox/r1"])).toBe("2");
});

test("a branch at the parent moves; one that already contains the commit stays", async () => {
  const stage = await scene();
  run(stage.repo, ["branch", "signalbox/r1"]);
  const order = await orderOn(stage);
  const first = await stage.workspace.commit(order);
  const second = await stage.workspace.commit({ ...order, parent: first.commit, message: "More" });
  expect(await stage.workspace.commit(order)).toEqual(first);
  expect(run(stage.repo, ["rev-parse", "signalbox/r1"])).toBe(second.commit);
});

test("a branch that has moved is refused with a fix, and stays where it is", async () => {
  const stage = await scene();
  const order = await orderOn(stage);
  const moved = run(stage.repo, ["commit-tree", stage.tree, "-p", stage.commit, "-m", "Somebody else"]);
  run(stage.repo, ["branch", "signalbox/r1", moved]);
  await expect(stage.workspace.commit(order)).rejects.toMatchObject({
    code: "COMMIT_REFUSED",
    message: expect.stringContaining("signalbox/r1"),
    hint: expect.stringContaining("new run"),
  });
  expect(run(stage.repo, ["rev-parse", "signalbox/r1"])).toBe(moved);
});

test("a branch that is checked out is refused, also in a linked worktree, by alias and unborn", async () => {
  const stage = await scene();
  const order = await orderOn(stage);
  run(stage.repo, ["worktree", "add", "-q", "-b", "linked", join(stage.root, "linked")]);
  run(stage.repo, ["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
  for (const branch of ["main", "linked", "alias"]) {
    await expect(stage.workspace.commit({ ...order, branch })).rejects.toMatchObject({ code: "COMMIT_REFUSED" });
  }
  run(stage.repo, ["checkout", "-q", "--orphan", "unborn"]);
  await expect(stage.workspace.commit({ ...order, branch: "unborn" })).rejects.toMatchObject({
    code: "COMMIT_REFUSED",
  });
  expect(run(stage.repo, ["rev-parse", "main", "linked"]).split("\n")).toEqual([stage.commit, stage.commit]);
});

test("a branch whose name conflicts with another's is refused with git's reason", async () => {
  const stage = await scene();
  run(stage.repo, ["branch", "signalbox"]);
  await expect(stage.workspace.commit(await orderOn(stage))).rejects.toMatchObject({
    code: "COMMIT_REFUSED",
    message: expect.stringContaining("refs/heads/signalbox"),
  });
});

test("a commit touches neither checkout nor index nor any other ref", async () => {
  const stage = await scene();
  const order = await orderOn(stage);
  const before = await fingerprint(stage.repo);
  await stage.workspace.commit(order);
  const after = await fingerprint(stage.repo);
  const touched = [...after].filter(([path, print]) => before.get(path) !== print).map(([path]) => path);
  const allowed = /^\.git\/(objects\/|refs\/heads($|\/signalbox)|logs\/refs\/heads($|\/signalbox))/;
  expect(touched.filter((path) => !allowed.test(path))).toEqual([]);
  expect(touched).toContain(".git/refs/heads/signalbox/r1");
});

test("a commit of an agent's work has the tree of its snapshot", async () => {
  const stage = await scene();
  const { dir } = await stage.workspace.open(stage.tree, "agent");
  await fill(dir, { "a.txt": "work\n" });
  const { tree } = await stage.workspace.snapshot(dir, { opened: stage.tree, onto: stage.tree });
  await stage.workspace.commit({ ...(await orderOn(stage)), tree });
  expect(run(stage.repo, ["show", "signalbox/r1:a.txt"])).toBe("work");
  expect(run(stage.repo, ["fsck", "--strict", "--no-dangling"])).toBe("");
});

async function orderOn({ workspace, tree, commit }: Scene): Promise<CommitOrder> {
  const work = await workspace.render(tree, [{ path: "work.txt", text: "done\n" }]);
  return { run: "r1", tree: work, message: "Do the work", branch: "signalbox/r1", parent: commit, date: DATE };
}
