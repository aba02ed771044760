import { chmod, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fill, type Scene, scene, tryRun } from "../scene.suite.ts";

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

test("a folder that git takes for a repository is not taken, whatever it is called and wherever it lies", async () => {
  for (const at of ["x", "deep/er/fixture.git", ".signalbox/docs/run/x"]) {
    const stage = await scene();
    const files = repository(at);
    const snapshot = await left(stage, async (dir) => {
      await fill(dir, { ...files, "b.txt": "b\n" });
      // What it is about: git itself does take it for one.
      expect(tryRun(join(dir, at), ["rev-parse", "--absolute-git-dir"]).out.trim()).toBe(join(dir, at));
    });
    expect(snapshot).toMatchObject({ changed: ["b.txt"], outside: Object.keys(files).sort() });
  }
});

test("no other way to the same folder is taken: links, a program, a common folder elsewhere, other letters", async () => {
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

test("a repository among the fixtures stays as it is, or goes as a whole", async () => {
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

test("what makes a repository out of a folder that was none is not taken, also by way of a later tree", async () => {
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

test("folders that only have some of the names are taken", async () => {
  const files = { "a/HEAD": "x\n", "a/refs/k": "", "b/objects/k": "", "b/refs/k": "", "c/head/x.ts": "" };
  const snapshot = await left(await scene(), (dir) => fill(dir, { ...files, "c/objects/x": "", "c/refs/x": "" }));
  expect(snapshot).toMatchObject({ outside: [] });
});
