import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RevertResult } from "../../core/ports/workspace.ts";
import { createWork, DATE, fill, fingerprint, run, type Scene, scene } from "../scene.suite.ts";

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at}`);

test("a landed run is reverted by one commit that names each of its own, and the checkout follows", async () => {
  const stage = await scene({ "a.txt": "one\n", "b.txt": "b\n" });
  const first = await createWork(stage, "r1", { "a.txt": "two\n", "new.txt": "n\n" });
  const second = await createWork(stage, "r1", { "a.txt": "three\n", "b.txt": null });
  await land(stage, "r1", second, [first, second]);
  const reverted = await revert(stage, "r1", [first, second]);
  expect(reverted).toMatchObject({ status: "reverted", branch: "main", from: second, checkout: { updated: true } });
  expect(run(stage.repo, ["rev-parse", "main^{tree}"])).toBe(stage.tree);
  expect(run(stage.repo, ["log", "-1", "--format=%B", "main"]).split("\n")).toEqual([
    "Revert run r1",
    "",
    `This reverts commit ${second}.`,
    `This reverts commit ${first}.`,
    "",
    "Signalbox-Run: r1",
  ]);
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
  expect(existsSync(join(stage.repo, "new.txt"))).toBe(false);
});

test("commits of others before, between and after the run's stay", async () => {
  const stage = await scene({ "a.txt": `${LINES.join("\n")}\n`, "b.txt": "b\n" });
  const first = await createWork(stage, "r1", { "a.txt": `${["top", ...LINES].join("\n")}\n` });
  await commitOf(stage, { "b.txt": "mine\n" });
  await land(stage, "r1", first);
  await commitOf(stage, { "a.txt": `${["top", ...LINES, "end"].join("\n")}\n` });
  const other = await createWork(stage, "r2", { "c.txt": "c\n" });
  await land(stage, "r2", other);
  expect(await revert(stage, "r1", [first])).toMatchObject({ status: "reverted", paths: ["a.txt"] });
  expect(readFileSync(join(stage.repo, "a.txt"), "utf8")).toBe(`${[...LINES, "end"].join("\n")}\n`);
  expect(readFileSync(join(stage.repo, "b.txt"), "utf8")).toBe("mine\n");
  expect(readFileSync(join(stage.repo, "c.txt"), "utf8")).toBe("c\n");
});

test("a second revert changes nothing, even after the place was edited again", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  await land(stage, "r1", commit);
  await revert(stage, "r1", [commit]);
  const before = await fingerprint(stage.repo);
  expect(await revert(stage, "r1", [commit])).toEqual({
    status: "already",
    branch: "main",
    checkout: { updated: true },
  });
  expect(await fingerprint(stage.repo)).toEqual(before);
  await commitOf(stage, { "a.txt": "something else\n" });
  expect(await revert(stage, "r1", [commit])).toMatchObject({ status: "already" });
});

test("a reverted commit is reported when it is landed again, unless the revert was reverted", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  await land(stage, "r1", commit);
  await revert(stage, "r1", [commit]);
  const revertedBy = run(stage.repo, ["rev-parse", "HEAD"]);
  expect(await land(stage, "r1", commit)).toMatchObject({ status: "already", revertedBy });
  run(stage.repo, ["revert", "--no-edit", "HEAD"]);
  expect(await land(stage, "r1", commit)).toEqual({ status: "already", branch: "main", checkout: { updated: true } });
  expect(await revert(stage, "r1", [commit])).toMatchObject({ status: "reverted" });
});

test("changes that two runs made stay until both are reverted, in either order", async () => {
  for (const [first, second] of [
    ["r1", "r2"],
    ["r2", "r1"],
  ] as const) {
    const stage = await scene();
    const work: Record<string, string> = {};
    for (const name of ["r1", "r2"])
      work[name] = await createWork(stage, name, { "same.txt": "same\n", [`${name}.txt`]: "own\n" });
    for (const name of ["r1", "r2"]) await land(stage, name, work[name] ?? "");
    expect(await revert(stage, first, [work[first] ?? ""])).toMatchObject({
      status: "reverted",
      paths: [`${first}.txt`],
      shared: { paths: ["same.txt"], by: [{ commit: work[second], run: second }] },
      checkout: { updated: true },
    });
    expect(await filesOf(stage)).toEqual(["a.txt", `${second}.txt`, "same.txt"]);
    expect(await revert(stage, first, [work[first] ?? ""])).toMatchObject({ status: "already" });
    const last = await revert(stage, second, [work[second] ?? ""]);
    expect(last).toMatchObject({ status: "reverted", paths: [`${second}.txt`, "same.txt"] });
    expect(last).not.toHaveProperty("shared");
    expect(await filesOf(stage)).toEqual(["a.txt"]);
  }
});

test("a run that changed nothing new is reverted by an empty commit", async () => {
  const stage = await scene();
  const first = await createWork(stage, "r1", { "same.txt": "same\n" });
  const second = await createWork(stage, "r2", { "same.txt": "same\n" });
  await land(stage, "r1", first);
  await land(stage, "r2", second);
  expect(await revert(stage, "r2", [second])).toMatchObject({ paths: [], shared: { paths: ["same.txt"] } });
  expect(await filesOf(stage)).toEqual(["a.txt", "same.txt"]);
  expect(run(stage.repo, ["log", "-1", "--format=%B", "main"])).toContain(`Changes that ${first} also made are kept.`);
  expect(await revert(stage, "r1", [first])).toMatchObject({ paths: ["same.txt"] });
});

test("only lines that no other commit has added are reverted, and a person's own fix stays", async () => {
  const stage = await scene({ "a.txt": `${LINES.join("\n")}\n` });
  const commit = await createWork(stage, "r1", { "a.txt": `${["top", ...LINES, "end"].join("\n")}\n` });
  const mine = await commitOf(stage, { "a.txt": `${["top", ...LINES].join("\n")}\n` });
  await land(stage, "r1", commit);
  const by = [{ commit: mine, run: null }];
  expect(await revert(stage, "r1", [commit])).toMatchObject({ paths: ["a.txt"], shared: { paths: ["a.txt"], by } });
  expect(readFileSync(join(stage.repo, "a.txt"), "utf8")).toBe(`${["top", ...LINES].join("\n")}\n`);
});

test("before landing there is nothing to revert, and the command that deletes the run's branch is returned", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  const before = await fingerprint(stage.repo);
  expect(await revert(stage, "r1", [commit])).toEqual({
    status: "unlanded",
    branch: "main",
    on: ["signalbox/r1"],
    command: "git branch -D signalbox/r1",
  });
  expect(await fingerprint(stage.repo)).toEqual(before);
});

test("a conflict names its paths and changes nothing", async () => {
  const stage = await scene({ "a.txt": "one\n", "b.txt": "b\n" });
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "b.txt": "two\n" });
  await land(stage, "r1", commit);
  await commitOf(stage, { "a.txt": "built on it\n" });
  const tip = run(stage.repo, ["rev-parse", "main"]);
  expect(await revert(stage, "r1", [commit])).toEqual({ status: "conflicts", branch: "main", paths: ["a.txt"] });
  expect(run(stage.repo, ["rev-parse", "main"])).toBe(tip);
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
});

test("[A-12] user changes in the affected paths refuse the revert by name", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  await land(stage, "r1", commit);
  await fill(stage.repo, { "a.txt": "mine\n" });
  await expect(revert(stage, "r1", [commit])).rejects.toMatchObject({
    code: "CHECKOUT_DIRTY",
    message: expect.stringContaining("a.txt"),
  });
  expect(run(stage.repo, ["rev-parse", "main"])).toBe(commit);
  expect(readFileSync(join(stage.repo, "a.txt"), "utf8")).toBe("mine\n");
});

test("a commit that does not name the run is never reverted for it", async () => {
  const stage = await scene();
  const mine = await commitOf(stage, { "a.txt": "mine\n" });
  await expect(revert(stage, "r1", [mine])).rejects.toMatchObject({ code: "LAND_REFUSED" });
  expect(run(stage.repo, ["rev-parse", "main"])).toBe(mine);
});

function land({ workspace }: Scene, name: string, commit: string, own = [commit]) {
  return workspace.land({ run: name, commit, own, date: DATE });
}

function revert({ workspace }: Scene, name: string, commits: readonly string[]): Promise<RevertResult> {
  return workspace.revert({ run: name, commits, date: DATE });
}

async function commitOf({ repo }: Scene, files: Readonly<Record<string, string>>): Promise<string> {
  await fill(repo, files);
  run(repo, ["commit", "-qam", "Mine"]);
  return run(repo, ["rev-parse", "HEAD"]);
}

async function filesOf({ repo }: Scene): Promise<readonly string[]> {
  expect(run(repo, ["status", "--porcelain"])).toBe("");
  return run(repo, ["ls-files"]).split("\n");
}
