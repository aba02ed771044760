import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWork, fill, run, scene } from "../scene.suite.ts";

test("the diff of two commits or trees is unified text without colors", async () => {
  const stage = await scene({ "a.txt": "one\n", "ü b.txt": "b\n" });
  run(stage.repo, ["config", "color.ui", "always"]);
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "ü b.txt": null, "c.txt": "b\n" });
  const text = await stage.workspace.diff(stage.commit, commit);
  expect(text).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n");
  expect(text).toContain("rename from ü b.txt\nrename to c.txt\n");
  expect(text).not.toContain("\u001b");
  expect(await stage.workspace.diff(stage.tree, run(stage.repo, ["rev-parse", `${commit}^{tree}`]))).toBe(text);
  expect(await stage.workspace.diff(commit, commit)).toBe("");
});

test("no program of the user creates the diff", async () => {
  const stage = await scene({ "a.txt": "one\n", ".gitattributes": "* diff=own\n" });
  await fill(stage.root, { "own.sh": "#!/bin/sh\necho made by a program\n" });
  await chmod(join(stage.root, "own.sh"), 0o755);
  for (const name of ["diff.external", "diff.own.command", "diff.own.textconv"]) {
    run(stage.repo, ["config", name, join(stage.root, "own.sh")]);
  }
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  expect(await stage.workspace.diff(stage.commit, commit)).not.toContain("made by a program");
  expect(run(stage.repo, ["diff", stage.commit, commit])).toContain("made by a program");
});

test("a very long diff is truncated after a complete line, with the command that shows all of it", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "long.txt": `${"x".repeat(99)}\n`.repeat(60_000) });
  const text = await stage.workspace.diff(stage.commit, commit);
  expect(text.length).toBeLessThan(2_100_000);
  expect(text.split("\n").at(-3)).toBe(`+${"x".repeat(99)}`);
  expect(text.trimEnd().split("\n").at(-1)).toContain(`git diff ${stage.commit} ${commit}`);
});

test("an invalid object id is refused", async () => {
  const { workspace, tree } = await scene();
  await expect(workspace.diff("--output=x", tree)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  await expect(workspace.diff(tree, "HEAD")).rejects.toMatchObject({ code: "INPUT_INVALID" });
});

test("a diff can be limited to some paths", async () => {
  const { workspace, tree } = await scene({ "src/a.ts": "a\n" });
  const files = ["src/a.ts", "docs/b.md", "docs/keep/c.md"].map((path) => ({ path, text: "new\n" }));
  const after = await workspace.render(tree, files);
  const text = await workspace.diff(tree, after, ["**", "!docs/*.md"]);
  expect(text.match(/^\+\+\+ .*$/gm)).toEqual(["+++ b/docs/keep/c.md", "+++ b/src/a.ts"]);
  expect(await workspace.diff(tree, after, ["nothing/**"])).toBe("");
});
