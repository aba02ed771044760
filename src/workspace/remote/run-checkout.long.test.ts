import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunFiles } from "../../core/ports/workspace.ts";
import { sha256 } from "../../node/digest.ts";
import { DATE, fill, run } from "../scene.suite.ts";
import { gitWorkspace } from "../workspace.ts";
import { edit, type Member, type Team, team } from "./team.suite.ts";

const RUN = "r1";
const CHECKOUT = `refs/signalbox/${RUN}/checkout`;
const FILES = { "a.txt": "one\n", "plan.json": "{}\n", ".gitignore": "*.log\n", "deep/x.txt": "x\n" };

type Stage = Team & { readonly person: Member; readonly worker: Member; readonly other: Member };

async function stage(dirt: Readonly<Record<string, string>> = {}, changed?: readonly string[]): Promise<Stage> {
  const made = await team(FILES);
  const [person, worker, other] = await Promise.all([made.member("p"), made.member("w"), made.member("o")]);
  await fill(person.repo, dirt);
  await fill(join(person.repo, ".git", "info"), { exclude: "/books/\n/.signalbox/*\n" });
  const books = ["/books/", ".signalbox/memory"];
  await person.workspace.begin(RUN, { commit: made.commit, books, ...(changed ? { changed } : {}) });
  return { ...made, person, worker, other };
}

test("a worker reads the checkout of the person who started the run, and not its own", async () => {
  const at = await stage({ "plan.json": "{ 1 }\n", "new.txt": "new\n", "noise.log": "x", "books/b.yaml": "b\n" });
  await fill(at.worker.repo, { "mine.txt": "mine\n" });
  const own = at.worker.workspace.of(RUN, 1);
  expect(await own.head()).toEqual({ commit: at.commit, tree: at.tree, branch: "main" });
  expect(await own.state()).toEqual({ branch: "main", dirt: ["new.txt", "plan.json"], operation: null });
  expect((await own.file("plan.json"))?.text).toBe("{ 1 }\n");
  expect((await own.file("books/b.yaml"))?.text).toBe("b\n");
  expect(await own.file("mine.txt")).toBeNull();
  expect(await own.file("noise.log")).toBeNull();
  expect(await own.files("")).toEqual([".gitignore", "a.txt", "deep/x.txt", "new.txt", "plan.json"]);
  expect(await own.filesOnDisk("books")).toEqual(["books/b.yaml"]);
  const dirt = await own.dirt(["new.txt"]);
  expect((await own.changes(at.tree, dirt)).map(({ path }) => path)).toEqual(["new.txt"]);
});

test("only permitted changes are published; the names of the others are known", async () => {
  const at = await stage({ "plan.json": "{ 1 }\n", "secret.txt": "mine\n" }, ["plan.json"]);
  const own = at.worker.workspace.of(RUN, 1);
  expect(await own.state()).toMatchObject({ dirt: ["plan.json", "secret.txt"] });
  expect((await own.file("plan.json"))?.text).toBe("{ 1 }\n");
  expect(await own.file("secret.txt")).toBeNull();
});

test("files that an owner writes are visible to the next one, and in no real checkout", async () => {
  const at = await stage();
  const own = at.worker.workspace.of(RUN, 1);
  const { hash } = await own.write("plan.json", "{ 2 }\n");
  await own.write("books/b.yaml", "b\n");
  await own.write("deep/new/y.txt", "y\n");
  const next = at.other.workspace.of(RUN, 2);
  expect(await next.file("plan.json")).toEqual({ text: "{ 2 }\n", hash });
  expect((await next.state()).dirt).toEqual(["deep/new/y.txt", "plan.json"]);
  expect(await next.filesOnDisk("books")).toEqual(["books/b.yaml"]);
  expect(await next.files("books")).toEqual([]);
  await next.write("plan.json", "{}\n");
  expect((await next.state()).dirt).toEqual(["deep/new/y.txt"]);
  for (const { repo } of [at.person, at.worker, at.other]) expect(run(repo, ["status", "--porcelain"])).toBe("");
});

test("a file is replaced only while it is what the run read, and repeating the write is no edit", async () => {
  const at = await stage();
  const own = at.worker.workspace.of(RUN, 1);
  const seen = await own.file("plan.json");
  await own.write("plan.json", "{ 2 }\n", seen?.hash);
  await own.write("plan.json", "{ 2 }\n", seen?.hash);
  const refused = own.write("plan.json", "{ 3 }\n", seen?.hash);
  await expect(refused).rejects.toMatchObject({ code: "WRITE_REFUSED", message: expect.stringContaining("edited") });
  await expect(own.write("a.txt/b", "x")).rejects.toMatchObject({ code: "WRITE_REFUSED" });
  await expect(own.write("deep", "x")).rejects.toMatchObject({ code: "WRITE_REFUSED" });
  await expect(own.write("../x", "x")).rejects.toMatchObject({ code: "INPUT_INVALID" });
});

test("many concurrent writers lose nothing, on one machine and on two", async () => {
  const at = await stage();
  const [own, late] = [at.worker.workspace.of(RUN, 1), at.other.workspace.of(RUN, 1)];
  await Promise.all([own.head(), late.head()]);
  await Promise.all([
    ...[1, 2, 3, 4].map((each) => own.write(`books/own-${each}`, "x")),
    ...[1, 2].map((each) => late.write(`books/late-${each}`, "x")),
  ]);
  const found = await at.person.workspace.of(RUN, 2).filesOnDisk("books");
  expect(found).toEqual(["late-1", "late-2", "own-1", "own-2", "own-3", "own-4"].map((name) => `books/${name}`));
});

test("landing copies the files that the run wrote into the person's checkout, but not over their edits", async () => {
  const at = await stage({ "plan.json": "{ 1 }\n" });
  const own = at.worker.workspace.of(RUN, 1);
  await own.write("plan.json", "{ 2 }\n");
  await own.write("books/b.yaml", "b\n");
  await own.write("deep/x.txt", "theirs\n");
  const tree = await edit(at.other, RUN, { tree: at.tree, files: { "a.txt": "two\n" } });
  const order = { run: RUN, tree, message: "Work", branch: `signalbox/${RUN}`, parent: at.commit, date: DATE };
  const { commit } = await own.commit(order);
  await fill(at.person.repo, { "deep/x.txt": "mine\n" });
  const texts = { "plan.json": "{ 2 }\n", "books/b.yaml": "b\n", "deep/x.txt": "theirs\n" };
  const wrote = filesOf(at, texts, ["{ 1 }\n"]);
  const landing = { run: RUN, commit, date: DATE, kept: ["plan.json"], files: wrote };
  const landed = await at.person.workspace.land(landing);
  const files = { brought: ["books/b.yaml", "plan.json"], edited: ["deep/x.txt"], refused: [] };
  expect(landed).toMatchObject({ status: "landed", files });
  expect(await readFile(join(at.person.repo, "plan.json"), "utf8")).toBe("{ 2 }\n");
  expect(await readFile(join(at.person.repo, "deep/x.txt"), "utf8")).toBe("mine\n");
  const again = await at.person.workspace.land(landing);
  expect(again).toMatchObject({ status: "already", files: { brought: [], edited: ["deep/x.txt"], refused: [] } });
});

/** In the form of a journal. */
const filesOf = ({ tree }: Stage, texts: Readonly<Record<string, string>>, read: readonly string[] = []): RunFiles => ({
  base: tree,
  known: new Set(read.map(sha256)),
  written: Object.entries(texts).map(([path, written]) => ({ path, isWritten: (text) => text === written })),
});

test("[A-42] files pushed onto a run's checkout are not copied, and earlier files of the run are", async () => {
  const at = await stage();
  const own = at.worker.workspace.of(RUN, 1);
  await own.write("plan.json", "{ 2 }\n");
  const order = { run: RUN, tree: at.tree, message: "Work", branch: `signalbox/${RUN}`, parent: at.commit, date: DATE };
  const { commit } = await own.commit(order);
  const eve = at.other.workspace.of(RUN, 2);
  const forged = ["package.json", ".envrc", "CLAUDE.md", ".signalbox/config.local.yaml", "plan.json"];
  for (const path of forged) await eve.write(path, "forged\n");
  const landing = { run: RUN, commit, date: DATE, files: filesOf(at, { "plan.json": "{ 2 }\n" }) };
  const landed = await at.person.workspace.land(landing);
  expect(landed).toMatchObject({ files: { brought: ["plan.json"], edited: [], refused: forged.toSorted() } });
  expect(run(at.person.repo, ["status", "--porcelain", "--ignored"])).toBe(" M plan.json");
  expect(await readFile(join(at.person.repo, "plan.json"), "utf8")).toBe("{ 2 }\n");
});

test.each<[string, (at: Stage) => void]>([
  ["is another commit", ({ bare, commit }) => run(bare, ["update-ref", CHECKOUT, commit])],
  ["is a file", ({ bare }) => run(bare, ["update-ref", CHECKOUT, run(bare, ["rev-parse", "HEAD:plan.json"])])],
  ["is gone", ({ bare }) => run(bare, ["update-ref", "-d", CHECKOUT])],
])("[A-42] a run lands if its checkout on the remote %s", async (_what, forge) => {
  const at = await stage();
  const own = at.worker.workspace.of(RUN, 1);
  await own.write("plan.json", "{ 2 }\n");
  const order = { run: RUN, tree: at.tree, message: "Work", branch: `signalbox/${RUN}`, parent: at.commit, date: DATE };
  const { commit } = await own.commit(order);
  forge(at);
  const landing = { run: RUN, commit, date: DATE, files: filesOf(at, { "plan.json": "{ 2 }\n" }) };
  expect(await at.person.workspace.land(landing)).toMatchObject({
    status: "landed",
    files: { brought: [], edited: [] },
  });
  expect(run(at.person.repo, ["status", "--porcelain"])).toBe("");
});

describe("[A-42] a worker that knows the journal", () => {
  const journaled = (begun: string | undefined) => async () => ({
    start: begun,
    isOwnText: (path: string, text: string) => path === "plan.json" && text === "{ 2 }\n",
  });
  const open = async (at: Stage) => {
    const begun = run(at.bare, ["log", "--format=%H", "--reverse", CHECKOUT]).split("\n").at(-1);
    await at.worker.workspace.of(RUN, 1).write("plan.json", "{ 2 }\n");
    const { repo, cache } = at.other;
    return gitWorkspace({ repo, cache, remote: "origin", journaled: journaled(begun) });
  };

  test("reads a checkout that contains only what the run wrote", async () => {
    const at = await stage({ "new.txt": "new\n" });
    const next = (await open(at)).of(RUN, 2);
    expect((await next.file("plan.json"))?.text).toBe("{ 2 }\n");
    expect((await next.state()).dirt).toEqual(["new.txt", "plan.json"]);
  });

  test.each<[string, string, (at: Stage) => Promise<unknown>]>([
    [
      "a file that the run did not write",
      "holds files that the run did not write: a.txt",
      ({ person }) => person.workspace.of(RUN, 3).write("a.txt", "forged\n"),
    ],
    [
      "another text of a file that the run wrote",
      "holds files that the run did not write: plan.json",
      ({ person }) => person.workspace.of(RUN, 3).write("plan.json", "forged\n"),
    ],
    [
      "another person's first checkout",
      "does not come from the run's first checkout",
      async ({ bare, person }) => {
        run(bare, ["update-ref", "-d", CHECKOUT]);
        const { commit } = await person.workspace.head();
        await person.workspace.begin(RUN, { commit, books: [] });
      },
    ],
    [
      "another list of changed files",
      "describes another checkout than the run started with",
      async ({ bare }) => {
        const text = run(bare, ["log", "-1", "--format=%B", CHECKOUT]).replace('"dirt":[', '"dirt":["a.txt",');
        const own = ["-c", "user.name=Eve", "-c", "user.email=eve@example.org"];
        const forged = run(bare, [...own, "commit-tree", `${CHECKOUT}^{tree}`, "-p", CHECKOUT, "-m", text]);
        run(bare, ["update-ref", CHECKOUT, forged]);
      },
    ],
  ])("refuses one with %s", async (_what, problem, forge) => {
    const at = await stage();
    const workspace = await open(at);
    await forge(at);
    const asked = workspace.of(RUN, 2).file("plan.json");
    await expect(asked).rejects.toMatchObject({ code: "OBJECT_GONE", message: expect.stringContaining(problem) });
  });
});

test("a run whose refs were deleted on the remote reports that", async () => {
  const at = await stage();
  run(at.bare, ["update-ref", "-d", `refs/signalbox/${RUN}/checkout`]);
  const asked = at.worker.workspace.of(RUN, 1).head();
  await expect(asked).rejects.toMatchObject({ code: "OBJECT_GONE", message: expect.stringContaining("checkout") });
});
