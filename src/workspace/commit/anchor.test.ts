import { expect, test } from "vitest";
import { run, scene } from "../scene.suite.ts";
import { gitWorkspace } from "../workspace.ts";

test("the head of a chain is read back as it was written, the newest one, by any process", async () => {
  const { repo, cache, workspace } = await scene();
  expect(await workspace.anchored("r1")).toBeUndefined();
  await workspace.anchor({ run: "r1", chain: "first" });
  await workspace.anchor({ run: "r1", chain: "second\n" });
  const other = await gitWorkspace({ repo, cache });
  expect(await other.anchored("r1")).toBe("second\n");
  expect(await other.anchored("r2")).toBeUndefined();
  run(repo, ["gc", "-q", "--prune=now"]);
  expect(await other.anchored("r1")).toBe("second\n");
});

test("a run's name that would lead elsewhere is refused", async () => {
  const { workspace } = await scene();
  for (const name of ["../../heads/main", "a..b", "", "x.lock"]) {
    await expect(workspace.anchor({ run: name, chain: "c" }), name).rejects.toMatchObject({ code: "INPUT_INVALID" });
    await expect(workspace.anchored(name), name).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
});
