import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fill, run, scene } from "../scene.suite.ts";

test("dirty files as a tree are HEAD with the checkout's content at those paths, and the user's files stay unchanged", async () => {
  const { repo, workspace, tree } = await scene({ "docs/a.md": "a\n", "docs/gone.md": "g\n", "src/b.ts": "b\n" });
  await fill(repo, { "docs/a.md": "changed\n", "docs/new.md": "n\n", "src/b.ts": "dirty too\n" });
  await rm(join(repo, "docs/gone.md"));
  await symlink("a.md", join(repo, "docs/link.md"));
  run(repo, ["add", "docs/new.md"]);
  const before = run(repo, ["status", "--porcelain"]);
  const dirt = await workspace.dirt(["docs/a.md", "docs/gone.md", "docs/new.md", "docs/link.md"]);
  expect(await workspace.changes(tree, dirt)).toEqual([
    { path: "docs/a.md", status: "modified" },
    { path: "docs/gone.md", status: "deleted" },
    { path: "docs/link.md", status: "added" },
    { path: "docs/new.md", status: "added" },
  ]);
  expect((await workspace.file("docs/a.md", dirt))?.text).toBe("changed\n");
  expect(run(repo, ["status", "--porcelain"])).toBe(before);
});

test("a path outside the repository is refused", async () => {
  const { workspace } = await scene();
  await expect(workspace.dirt(["../secret"])).rejects.toMatchObject({ code: "INPUT_INVALID" });
});
