import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWork, DATE, fill, run, type Scene, scene } from "./scene.suite.ts";

test("a branch that moved between the check and the swap is checked again, and contains both works", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  const theirs = run(stage.repo, ["commit-tree", stage.tree, "-p", stage.commit, "-m", "Somebody else"]);
  const landed = await landBeside(stage, commit, {
    at: "update-ref",
    with: "--stdin",
    times: 1,
    does: `update-ref refs/heads/main ${theirs}`,
  });
  expect(landed).toMatchObject({ status: "landed", by: "merge", from: theirs, checkout: { updated: true } });
  expect(run(stage.repo, ["log", "-1", "--format=%P", "main"])).toBe(`${theirs} ${commit}`);
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
});

test("a branch that moves every time is left alone, and no commit of others is lost", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  const refused = await landBeside(stage, commit, {
    at: "update-ref",
    with: "--stdin",
    times: 100,
    does: `update-ref refs/heads/main $(git commit-tree ${stage.tree} -p main -m "Somebody else")`,
  });
  expect(refused).toMatchObject({ code: "BRANCH_MOVED" });
  const history = run(stage.repo, ["log", "--format=%s", "main"]).split("\n");
  expect(history).toEqual([...Array.from({ length: 8 }, () => "Somebody else"), "First"]);
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
});

test("an edit made during the update is kept, and the same call finishes once it is stashed", async () => {
  const stage = await scene({ "a.txt": "one\n", "b.txt": "b\n" });
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "b.txt": "two\n" });
  const edit = { at: "read-tree", with: "-u", without: "-n", times: 1, does: "version && echo mine > a.txt" };
  const landed = await landBeside(stage, commit, edit);
  const command = `git read-tree -m -u ${stage.commit} ${commit}`;
  expect(landed).toMatchObject({ status: "landed", checkout: { updated: false, command } });
  expect(readFileSync(join(stage.repo, "a.txt"), "utf8")).toBe("mine\n");

  const again = await stage.workspace.land({ run: "r1", commit, date: DATE });
  expect(again).toMatchObject({
    status: "already",
    checkout: { updated: false, because: expect.stringMatching("a.txt") },
  });
  const other = await createWork(stage, "r2", { "c.txt": "c\n" });
  await expect(stage.workspace.land({ run: "r2", commit: other, date: DATE })).rejects.toMatchObject({
    code: "CHECKOUT_DIRTY",
    hint: expect.stringContaining(command),
  });

  await fill(stage.repo, { "a.txt": "one\n" });
  expect(await stage.workspace.land({ run: "r1", commit, date: DATE })).toMatchObject({ checkout: { updated: true } });
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
});

test("the command given for an outdated checkout works", async () => {
  const stage = await scene({ "a.txt": "one\n", "b.txt": "b\n" });
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "b.txt": "two\n" });
  const edit = { at: "read-tree", with: "-u", without: "-n", times: 1, does: "version && echo mine > a.txt" };
  await landBeside(stage, commit, edit);
  await rm(join(stage.repo, "a.txt"));
  run(stage.repo, ["read-tree", "-m", "-u", stage.commit, commit]);
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
  expect(await stage.workspace.land({ run: "r1", commit, date: DATE })).toEqual({
    status: "already",
    branch: "main",
    checkout: { updated: true },
  });
});

/** The action of another program right before a git call of ours with these arguments. */
/** The effect of a full disk on git: the beginning of the file is written, the rest is refused. */
const FULL = {
  at: "read-tree",
  with: "-u",
  without: "-n",
  times: 1,
  does: "version",
  before: "trap '' XFSZ; ulimit -f 4",
};
const BIG = Array.from({ length: 4_000 }, (_, at) => `line ${at}\n`).join("");

test.each([
  ["new", { "a.txt": "one\n" }],
  ["changed", { "a.txt": "one\n", "big.txt": "small\n" }],
])("a %s file that a full disk truncated is completed by the same call", async (_, files) => {
  const stage = await scene(files);
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "big.txt": BIG });
  const landed = await landBeside(stage, commit, FULL);
  expect(landed).toMatchObject({
    status: "landed",
    checkout: { updated: false, cause: "machine", command: "signalbox land r1" },
  });
  const half = readFileSync(join(stage.repo, "big.txt"), "utf8");
  expect(half.length).toBeLessThan(BIG.length);
  expect(BIG.startsWith(half)).toBe(true);
  const again = await stage.workspace.land({ run: "r1", commit, date: DATE });
  expect(again).toMatchObject({ status: "already", checkout: { updated: true, completed: ["big.txt"] } });
  expect(readFileSync(join(stage.repo, "big.txt"), "utf8")).toBe(BIG);
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
});

test("a user's file in place of a truncated one stays, and is named", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "big.txt": BIG });
  await landBeside(stage, commit, FULL);
  await fill(stage.repo, { "big.txt": "line 0\nmine\n" });
  const again = await stage.workspace.land({ run: "r1", commit, date: DATE });
  expect(again).toMatchObject({
    checkout: { updated: false, cause: "edits", because: expect.stringMatching("big.txt") },
  });
  expect(readFileSync(join(stage.repo, "big.txt"), "utf8")).toBe("line 0\nmine\n");
});

type Beside = {
  readonly at: string;
  readonly with: string;
  readonly without?: string;
  readonly times: number;
  readonly does: string;
  /** Lines of the shell script that then becomes git. */
  readonly before?: string;
};

/**
 * Lands in a separate process whose git performs the other program's action first; returns the result, or the error's
 * code.
 */
async function landBeside({ root, repo }: Scene, commit: string, beside: Beside): Promise<unknown> {
  const real = join(run(root, ["--exec-path"]), "git");
  const counter = join(root, "counter");
  const never = beside.without === undefined ? "" : `*" ${beside.without} "*) ;; `;
  const script = [
    "#!/bin/sh",
    `case " $* " in ${never}*" ${beside.at} "*" ${beside.with} "*)`,
    `echo x >> ${counter}`,
    `if [ "$(wc -l < ${counter})" -le ${beside.times} ]; then`,
    // As a user runs it: without our settings and without our index.
    `(cd ${repo}; unset GIT_INDEX_FILE GIT_OBJECT_DIRECTORY; export GIT_DIR=${repo}/.git;`,
    "export GIT_AUTHOR_NAME=b GIT_AUTHOR_EMAIL=b@c GIT_COMMITTER_NAME=b GIT_COMMITTER_EMAIL=b@c;",
    `${real} ${beside.does}) >/dev/null </dev/null; ${beside.before ?? ":"}; fi;; esac`,
    `exec ${real} "$@"`,
  ];
  await fill(root, { "bin/git": `${script.join("\n")}\n` });
  await chmod(join(root, "bin/git"), 0o755);
  const program = `
    const { gitWorkspace } = await import(${JSON.stringify(join(import.meta.dirname, "workspace.ts"))});
    const workspace = await gitWorkspace(${JSON.stringify({ repo, cache: join(root, "cache") })});
    const order = ${JSON.stringify({ run: "r1", commit, date: DATE })};
    console.log(JSON.stringify(await workspace.land(order).catch(({ code, message }) => ({ code, message }))));`;
  const env = { ...process.env, PATH: `${join(root, "bin")}:${process.env["PATH"]}` };
  const out = await new Promise<string>((done, failed) => {
    const args = ["--input-type=module", "-e", program];
    execFile(process.execPath, args, { env }, (error, stdout) => (error ? failed(error) : done(stdout)));
  });
  expect(existsSync(counter)).toBe(true);
  return JSON.parse(out);
}
