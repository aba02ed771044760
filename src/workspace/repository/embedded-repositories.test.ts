import { chmod, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWork, DATE, fill, run, type Scene, scene, tryRun } from "../scene.suite.ts";

const CONFIG =
  '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "touch RAN; false"\n';

function repository(at: string): Record<string, string> {
  const HEAD = "ref: refs/heads/main\n";
  return { [`${at}/HEAD`]: HEAD, [`${at}/config`]: CONFIG, [`${at}/objects/k`]: "", [`${at}/refs/heads/k`]: "" };
}

async function left({ workspace, tree }: Scene, work: (dir: string) => Promise<unknown>) {
  const { dir } = await workspace.open(tree, "agent");
  await work(dir);
  return workspace.snapshot(dir, { opened: tree, onto: tree });
}

test("a folder that git takes for a repository is not taken, whatever its name and place", async () => {
  for (const at of ["x", "deep/er/fixture.git", ".signalbox/docs/run/x"]) {
    const stage = await scene();
    const files = repository(at);
    const snapshot = await left(stage, async (dir) => {
      await fill(dir, { ...files, "b.txt": "b\n" });
      // The premise: git itself takes it for one.
      expect(tryRun(join(dir, at), ["rev-parse", "--absolute-git-dir"]).out.trim()).toBe(join(dir, at));
    });
    expect(snapshot).toMatchObject({ changed: ["b.txt"], outside: Object.keys(files).sort() });
  }
});

test("no other way to the same folder is taken: links, a program, a common folder elsewhere, other case", async () => {
  const ways: Record<string, (dir: string) => Promise<unknown>> = {
    links: async (dir) => {
      await fill(dir, { "x/HEAD": "ref: refs/heads/main\n" });
      for (const name of ["objects", "refs"]) await symlink("../src", join(dir, "x", name));
    },
    "a link as HEAD": async (dir) => {
      await fill(dir, { "x/objects/k": "", "x/refs/k": "" });
      await symlink("refs/heads/main", join(dir, "x/HEAD"));
    },
    programs: async (dir) => {
      await fill(dir, { "x/HEAD": "ref: refs/heads/main\n", "x/objects": "", "x/refs": "" });
      for (const name of ["objects", "refs"]) await chmod(join(dir, "x", name), 0o755);
    },
    elsewhere: (dir) => fill(dir, { "x/HEAD": "ref: refs/heads/main\n", "x/commondir": "../src\n" }),
    letters: (dir) => fill(dir, { "x/head": "ref: refs/heads/main\n", "x/Objects/k": "", "X/refs/k": "" }),
  };
  for (const [way, work] of Object.entries(ways)) {
    const stage = await scene({ "src/a.txt": "a\n" });
    const snapshot = await left(stage, work);
    expect(snapshot, way).toMatchObject({ tree: stage.tree, changed: [] });
    expect(snapshot.outside, way).not.toEqual([]);
  }
});

test("a repository among the fixtures stays unchanged, or is removed as a whole", async () => {
  const files = repository("test/fixture");
  const stage = await scene({ ...files, "a.txt": "a\n" });
  const changed = await left(stage, (dir) =>
    fill(dir, { "test/fixture/config": "evil\n", "test/fixture/hooks/x": "x\n", "a.txt": "b\n" }),
  );
  expect(changed).toMatchObject({ changed: ["a.txt"], outside: ["test/fixture/config", "test/fixture/hooks/x"] });
  const poorer = await left(stage, (dir) => rm(join(dir, "test/fixture/config")));
  expect(poorer).toMatchObject({ tree: stage.tree, outside: ["test/fixture/config"] });
  const gone = await left(stage, (dir) => rm(join(dir, "test/fixture"), { recursive: true }));
  expect(gone).toMatchObject({ changed: Object.keys(files).sort(), outside: [] });
});

test("files that would turn a folder into a repository are not taken, not even by way of a later tree", async () => {
  const { "x/HEAD": head = "", ...rest } = repository("x");
  const stage = await scene({ ...rest, "a.txt": "a\n" });
  const completed = await left(stage, (dir) => fill(dir, { "x/HEAD": head, "a.txt": "b\n" }));
  expect(completed).toMatchObject({ changed: ["a.txt"], outside: ["x/HEAD"] });

  const apart = await scene({ "a.txt": "a\n" });
  const first = await left(apart, (dir) => fill(dir, rest));
  expect(first.outside).toEqual([]);
  const { dir } = await apart.workspace.open(apart.tree, "agent");
  await fill(dir, { "x/HEAD": head });
  const onto = await apart.workspace.snapshot(dir, { opened: apart.tree, onto: first.tree });
  expect(onto).toEqual({ tree: first.tree, changed: [], outside: ["x/HEAD"] });
});

test("folders that have only some of the names are taken", async () => {
  const files = { "a/HEAD": "x\n", "a/refs/k": "", "b/objects/k": "", "b/refs/k": "", "c/head/x.ts": "" };
  const snapshot = await left(await scene(), (dir) => fill(dir, { ...files, "c/objects/x": "", "c/refs/x": "" }));
  expect(snapshot).toMatchObject({ outside: [] });
});

test("trees that form a repository only together conflict in the files that would be in it", async () => {
  const { workspace, tree } = await scene();
  const { head, rest } = halves("x");
  const first = await workspace.render(tree, rest);
  const second = await workspace.render(tree, head);
  const fine = await workspace.render(tree, [{ path: "b.txt", text: "b\n" }]);
  const merged = await workspace.merge(tree, [fine, first, second]);
  expect(merged).toEqual({ clean: false, at: 2, conflicts: [...rest, ...head].map(({ path }) => path).sort() });
});

test("a branch and a run that form a repository only together are not merged, and the place is reported", async () => {
  const stage = await scene();
  const { head, rest } = halves("x");
  const commit = await createWork(stage, "half", Object.fromEntries(rest.map(({ path, text }) => [path, text])));
  await fill(stage.repo, Object.fromEntries(head.map(({ path, text }) => [path, text])));
  run(stage.repo, ["add", "--all"]);
  run(stage.repo, ["commit", "-q", "-m", "Other half"]);
  const tip = run(stage.repo, ["rev-parse", "HEAD"]);
  const landing = stage.workspace.land({ run: "half", commit, date: DATE });
  await expect(landing).rejects.toMatchObject({
    code: "LAND_REFUSED",
    message: expect.stringContaining("make a git repository of x/HEAD, x/config"),
  });
  expect(run(stage.repo, ["rev-parse", "HEAD"])).toBe(tip);
});

test("a composed tree has no repository that neither source has, and keeps one that was complete", async () => {
  const { workspace, tree } = await scene();
  const { head, rest } = halves("x");
  const first = await workspace.render(tree, rest);
  const second = await workspace.render(tree, [...head, { path: "b.txt", text: "b\n" }]);
  const made = await workspace.compose(first, { from: second, paths: ["x/HEAD", "b.txt"], texts: [] });
  expect(await workspace.files("", made)).toEqual(["a.txt", "b.txt", ...rest.map(({ path }) => path)].sort());

  const whole = await scene(repository("fixture"));
  const { dir } = await whole.workspace.open(whole.tree, "agent");
  await rm(join(dir, "fixture"), { recursive: true });
  const gone = await whole.workspace.snapshot(dir, { opened: whole.tree, onto: whole.tree });
  const paths = Object.keys(repository("fixture"));
  expect(await whole.workspace.compose(gone.tree, { from: whole.tree, paths, texts: [] })).toBe(whole.tree);
});

test("no file is written that would complete a repository", async () => {
  const { workspace, tree } = await scene();
  const { head, rest } = halves("x");
  const first = await workspace.render(tree, rest);
  await expect(workspace.render(first, head)).rejects.toThrow("git repository of x/HEAD");
});

/** Neither is a repository without the other. */
function halves(at: string) {
  const files = Object.entries(repository(at)).map(([path, text]) => ({ path, text }));
  const isHead = ({ path }: { path: string }) => path === `${at}/HEAD`;
  return { head: files.filter(isHead), rest: files.filter((file) => !isHead(file)) };
}
