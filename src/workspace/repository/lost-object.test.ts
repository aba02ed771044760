import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DATE, run, scene } from "../scene.suite.ts";
import { toLostObjectError } from "./lost-object.ts";

const GONE = { code: "OBJECT_GONE", hint: expect.stringContaining("signalbox cancel") };
const NONE = "142ade0811bdbab16b8d92040582b9bb5f7073a9";

test("a missing tree or commit is reported by its id, whatever requests it", async () => {
  const { workspace, tree, commit } = await scene();
  const other = await workspace.render(tree, [{ path: "b.txt", text: "b" }]);
  const order = { run: "r1", message: "m", branch: "signalbox/r1", date: DATE };
  for (const ask of [
    () => workspace.open(NONE, "agent"),
    () => workspace.pin("r1", NONE),
    () => workspace.hold("r1", NONE),
    () => workspace.render(NONE, [{ path: "a", text: "a" }]),
    () => workspace.changes(tree, NONE),
    () => workspace.merge(tree, [other, NONE]),
    () => workspace.commit({ ...order, tree: NONE, parent: commit }),
    () => workspace.files("", NONE),
  ])
    await expect(ask(), ask.toString()).rejects.toMatchObject({ ...GONE, message: expect.stringContaining(NONE) });
});

test("missing file content is reported by its id", async () => {
  const { repo, workspace, tree } = await scene();
  const id = run(repo, ["rev-parse", "HEAD:a.txt"]);
  rmSync(join(repo, ".git", "objects", id.slice(0, 2), id.slice(2)));
  await expect(workspace.open(tree, "agent")).rejects.toMatchObject({ ...GONE, message: expect.stringContaining(id) });
});

test("other messages with an id are not about a lost object", () => {
  expect(toLostObjectError(`fatal: cannot lock ref 'refs/heads/x': is at ${NONE} but expected`)).toBeUndefined();
  expect(toLostObjectError("fatal: unable to read the config file")).toBeUndefined();
});
