import { expect, test } from "vitest";
import { fill, run, scene } from "../scene.suite.ts";

test("a branch is read with its own commits only, newest first", async () => {
  const { repo, workspace } = await scene();
  expect(await workspace.branch("feat/ABC-1_do_it")).toBeNull();
  run(repo, ["switch", "-qc", "feat/ABC-1_do_it"]);
  for (const subject of ["feat(ABC-1): one", "feat(ABC-1): two"]) {
    await fill(repo, { "a.txt": subject });
    run(repo, ["commit", "-qam", subject]);
  }
  const commit = run(repo, ["rev-parse", "HEAD"]);
  run(repo, ["switch", "-q", "main"]);
  expect(await workspace.branch("feat/ABC-1_do_it")).toEqual({
    commit,
    tree: run(repo, ["rev-parse", `${commit}^{tree}`]),
    subjects: ["feat(ABC-1): two", "feat(ABC-1): one"],
  });
});
