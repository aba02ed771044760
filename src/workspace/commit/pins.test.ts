import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run, type Scene, scene } from "../scene.suite.ts";
import { gitWorkspace } from "../workspace.ts";

async function comesBack({ repo, tree }: Scene, cache: string): Promise<void> {
  const workspace = await gitWorkspace({ repo, cache });
  const pinned = await workspace.render(tree, [{ path: "b.txt", text: "b\n" }]);
  await workspace.pin("r1", pinned);
  await workspace.keep("r1");
  run(repo, ["update-ref", "-d", run(repo, ["for-each-ref", "--format=%(refname)", "refs/signalbox/r1/t/"])]);
  run(repo, ["gc", "-q", "--prune=now"]);
  expect(() => run(repo, ["cat-file", "-e", pinned])).toThrow();
  await workspace.restore("r1");
  expect(run(repo, ["cat-file", "-p", `${pinned}:b.txt`])).toBe("b");
}

test("objects of a suspended run are restored after its refs were deleted and collected", async () => {
  const stage = await scene();
  await comesBack(stage, stage.cache);
});

test("they are restored from a cache on another disk too, and no partial file stays in the repository", async ({
  skip,
}) => {
  const other = "/dev/shm";
  const device = statSync(other, { throwIfNoEntry: false })?.dev;
  if (device === undefined || device === statSync(tmpdir()).dev) return skip(`${other} is no other disk here`);
  const cache = mkdtempSync(join(other, "workspace-"));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const stage = await scene();
  await comesBack(stage, cache);
  const objects = readdirSync(join(stage.repo, ".git", "objects"), { recursive: true }).map(String);
  expect(objects.filter((name) => name.includes("tmp_"))).toEqual([]);
});
