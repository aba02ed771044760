import { expect, test } from "vitest";
import { run, scene } from "../scene.suite.ts";
import { gitWorkspace } from "../workspace.ts";

const requireHeld = async () => undefined;

test("the head of a chain is read back as written, the newest one, by any process", async () => {
  const { repo, cache, workspace } = await scene();
  expect(await workspace.anchored("r1")).toEqual([]);
  await workspace.anchor({ run: "r1", chain: "first", requireHeld });
  await workspace.anchor({ run: "r1", chain: "second\n", requireHeld });
  const other = await gitWorkspace({ repo, cache });
  expect(await other.anchored("r1")).toEqual(["second\n"]);
  expect(await other.anchored("r2")).toEqual([]);
  run(repo, ["gc", "-q", "--prune=now"]);
  expect(await other.anchored("r1")).toEqual(["second\n"]);
});

test("a run's name that would lead elsewhere is refused", async () => {
  const { workspace } = await scene();
  for (const name of ["../../heads/main", "a..b", "", "x.lock"]) {
    await expect(workspace.anchor({ run: name, chain: "c", requireHeld }), name).rejects.toMatchObject({
      code: "INPUT_INVALID",
    });
    await expect(workspace.anchored(name), name).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
});

test("an anchor that the journal does not contain is never overwritten", async () => {
  const { workspace } = await scene();
  await workspace.anchor({ run: "r1", chain: "first", requireHeld });
  const refuses = async (earlier: string) => {
    throw new Error(`not held: ${earlier}`);
  };
  await expect(workspace.anchor({ run: "r1", chain: "second", requireHeld: refuses })).rejects.toThrow(
    "not held: first",
  );
  expect(await workspace.anchored("r1")).toEqual(["first"]);
});
