import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DATE, fill, run, tryRun } from "../scene.suite.ts";
import { again, edit, type Member, remoteRefs, team } from "./team.suite.ts";

const RUN = "r1";
const ORDER = { run: RUN, message: "Work", branch: `signalbox/${RUN}`, date: DATE };

test("an attempt on one clone, a check on another, the merge and the commit on a third", async () => {
  const stage = await team({ "a.txt": "one\n", "b.txt": "one\n" });
  const [a, b, c] = await Promise.all([stage.member("a"), stage.member("b"), stage.member("c")]);
  await a.workspace.begin(RUN, { commit: stage.commit, books: [] });
  const [one, other] = await Promise.all([
    edit(a, RUN, { tree: stage.tree, files: { "a.txt": "two\n" } }),
    edit(b, RUN, { tree: stage.tree, files: { "b.txt": "two\n" } }),
  ]);

  const checking = b.workspace.of(RUN, 1);
  const { dir, close } = await checking.open(one, `${RUN}-check`);
  expect(await readFile(join(dir, "a.txt"), "utf8")).toBe("two\n");
  await close();

  const owner = c.workspace.of(RUN, 1);
  const merged = await owner.merge(stage.tree, [one, other]);
  expect(merged.clean).toBe(true);
  const tree = merged.clean ? merged.tree.tree : "";
  await owner.pin(RUN, tree);
  await owner.publish();
  const { commit } = await owner.commit({ ...ORDER, tree, parent: stage.commit });
  expect(run(stage.bare, ["rev-parse", `refs/heads/signalbox/${RUN}`])).toBe(commit);
  expect(run(stage.bare, ["show", `${commit}:a.txt`, `${commit}:b.txt`])).toBe("two\ntwo");
  expect(run(c.repo, ["for-each-ref", "--format=%(refname)", "refs/heads/"])).toBe("refs/heads/main");

  const landed = await a.workspace.land({ run: RUN, commit, date: DATE });
  expect(landed).toMatchObject({ status: "landed", by: "fast-forward" });
  expect(await readFile(join(a.repo, "b.txt"), "utf8")).toBe("two\n");
  expect(await again(b).then(({ workspace }) => workspace.of(RUN).diff(stage.commit, commit))).toContain("+two");
});

test("a tree is published under its own name, in a commit", async () => {
  const stage = await team();
  const [a, b] = await Promise.all([stage.member("a"), stage.member("b")]);
  await a.workspace.begin(RUN, { commit: stage.commit, books: [] });
  const tree = await edit(b, RUN, { tree: stage.tree, files: { "a.txt": "two\n" } });
  expect(remoteRefs(stage, `refs/signalbox/${RUN}/`).sort()).toEqual(
    [`base/${stage.commit}`, "checkout", `t/${stage.tree}`, `t/${tree}`]
      .map((name) => `refs/signalbox/${RUN}/${name}`)
      .sort(),
  );
  expect(run(stage.bare, ["rev-parse", `refs/signalbox/${RUN}/t/${tree}^{tree}`])).toBe(tree);
  expect(run(stage.bare, ["rev-parse", `refs/signalbox/${RUN}/t/${tree}^`])).toBe(stage.commit);
});

test("a caller that is stopped during a run's fetch does not stop the others", async () => {
  const stage = await team();
  const [a, b] = await Promise.all([stage.member("a"), stage.member("b")]);
  await a.workspace.begin(RUN, { commit: stage.commit, books: [] });
  const tree = await edit(a, RUN, { tree: stage.tree, files: { "a.txt": "two\n" } });
  const [stop, worker] = [new AbortController(), b.workspace.of(RUN, 1)];
  const [stopped, other] = [
    worker.owned(stop.signal, () => worker.open(tree, `${RUN}-stopped`)),
    b.workspace.of(RUN, 1).open(tree, `${RUN}-other`),
  ];
  stop.abort(new Error("told to stop"));
  await expect(stopped).rejects.toThrow("told to stop");
  for (const { dir, close } of [await other, await b.workspace.of(RUN, 1).open(tree, `${RUN}-next`)]) {
    expect(await readFile(join(dir, "a.txt"), "utf8")).toBe("two\n");
    await close();
  }
});

test("objects that are local or published need no remote call", async () => {
  const stage = await team();
  const [a, b] = await Promise.all([stage.member("a"), stage.member("b")]);
  await a.workspace.begin(RUN, { commit: stage.commit, books: [] });
  const tree = await edit(a, RUN, { tree: stage.tree, files: { "a.txt": "two\n" } });
  const worker = b.workspace.of(RUN, 1);
  expect(await worker.head()).toMatchObject({ commit: stage.commit });
  await worker.files("", tree);
  await rename(stage.bare, join(stage.root, "gone.git"));
  for (const member of [a, b, await again(a), await again(b)]) {
    const own = member.workspace.of(RUN, 1);
    expect(await own.files("", tree)).toEqual(["a.txt"]);
    await own.pin(RUN, tree);
    await own.publish();
  }
  for (const member of [a, b]) {
    const own = member.workspace.of(RUN, 1);
    await own.hold(RUN, stage.commit);
    await own.publish();
  }
});

test("a clone without the repository's newer history can still work on a run", async () => {
  const stage = await team();
  const late = await stage.member("late");
  const a = await stage.member("a");
  const next = await grow(a, { "new.txt": "new\n" });
  await a.workspace.begin(RUN, { commit: next, books: [] });
  const { tree } = await a.workspace.head();
  const made = await edit(late, RUN, { tree, files: { "a.txt": "two\n" } });
  expect(await a.workspace.of(RUN).files("", made)).toEqual(["a.txt", "new.txt"]);
});

test("a shallow clone takes part", async () => {
  const stage = await team();
  const a = await stage.member("a");
  for (const text of ["2\n", "3\n"]) await grow(a, { "a.txt": text });
  run(a.repo, ["push", "-q", "origin", "main"]);
  run(stage.root, ["clone", "-q", "--depth", "1", `file://${stage.bare}`, "flat"]);
  const flat = await again({ ...a, repo: join(stage.root, "flat"), cache: join(stage.root, "flat-cache") });
  const { commit, tree } = await a.workspace.head();
  await a.workspace.begin(RUN, { commit, books: [] });
  const made = await edit(flat, RUN, { tree, files: { "b.txt": "new\n" } });
  const own = flat.workspace.of(RUN, 1);
  await own.commit({ ...ORDER, tree: made, parent: commit });
  expect(run(stage.bare, ["show", `signalbox/${RUN}:b.txt`])).toBe("new");
});

test("a large file is sent once", async () => {
  const stage = await team();
  const [a, b] = await Promise.all([stage.member("a"), stage.member("b")]);
  await a.workspace.begin(RUN, { commit: stage.commit, books: [] });
  const noise = Array.from({ length: 40_000 }, () => Math.random().toString(36).slice(2)).join("\n");
  const large = await edit(a, RUN, { tree: stage.tree, files: { "large.txt": noise } });
  const first = await edit(b, RUN, { tree: large, files: { "a.txt": "two\n" } });
  const before = sizeOf(stage.bare);
  const second = await edit(b, RUN, { tree: first, files: { "a.txt": "three\n" } });
  expect(sizeOf(stage.bare) - before).toBeLessThan(100);
  const got = sizeOf(a.repo);
  expect((await a.workspace.of(RUN).file("large.txt", second))?.text).toBe(noise);
  expect(sizeOf(a.repo) - got).toBeLessThan(100);
});

test("a tree that does not exist anywhere is reported by its id", async () => {
  const stage = await team();
  const a = await stage.member("a");
  await a.workspace.begin(RUN, { commit: stage.commit, books: [] });
  const nowhere = "1".repeat(40);
  const asked = a.workspace.of(RUN).files("", nowhere);
  await expect(asked).rejects.toMatchObject({ code: "OBJECT_GONE", message: expect.stringContaining(nowhere) });
});

test("a run may read a tree that another run left", async () => {
  const stage = await team();
  const [a, b] = await Promise.all([stage.member("a"), stage.member("b")]);
  await a.workspace.begin("r0", { commit: stage.commit, books: [] });
  const left = await edit(a, "r0", { tree: stage.tree, files: { "a.txt": "two\n" } });
  await b.workspace.begin(RUN, { commit: stage.commit, books: [] });
  const own = b.workspace.of(RUN, 1);
  expect((await own.file("a.txt", left))?.text).toBe("two\n");
  await own.pin(RUN, left);
  await own.publish();
  expect(remoteRefs(stage)).toContain(`refs/signalbox/${RUN}/t/${left}`);
});

test("objects deleted in a clone while the run was suspended are fetched again", async () => {
  const stage = await team();
  const [a, b] = await Promise.all([stage.member("a"), stage.member("b")]);
  await a.workspace.begin(RUN, { commit: stage.commit, books: [] });
  const tree = await edit(a, RUN, { tree: stage.tree, files: { "a.txt": "two\n" } });
  await b.workspace.of(RUN, 1).files("", tree);
  for (const ref of run(b.repo, ["for-each-ref", "--format=%(refname)", "refs/signalbox/"]).split("\n"))
    run(b.repo, ["update-ref", "-d", ref]);
  run(b.repo, ["gc", "-q", "--prune=now"]);
  expect(tryRun(b.repo, ["cat-file", "-e", tree]).code).not.toBe(0);
  await b.workspace.restore(RUN);
  expect(await b.workspace.of(RUN, 2).files("", tree)).toEqual(["a.txt"]);
});

async function grow({ repo }: Member, files: Readonly<Record<string, string>>): Promise<string> {
  await fill(repo, files);
  run(repo, ["add", "--all"]);
  run(repo, ["-c", "user.name=Ada", "-c", "user.email=a@example.org", "commit", "-q", "-m", "Next"]);
  return run(repo, ["rev-parse", "HEAD"]);
}

/** In KiB, for all objects. */
function sizeOf(repo: string): number {
  const rows = run(repo, ["count-objects", "-v"]).split("\n");
  const of = (name: string) => Number(rows.find((row) => row.startsWith(`${name}: `))?.split(" ")[1]);
  return of("size") + of("size-pack");
}
