import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { often } from "../../test/often.ts";
import { createWork, DATE, fill, run, type Scene, scene, temporary, tryRun } from "./scene.suite.ts";
import { gitWorkspace } from "./workspace.ts";

const ENDURING = { timeout: 5 * 60_000 };

/** Calls that write, or are between two calls that do. */
const COUNTED = ["commit-tree", "merge-tree", "hash-object", "update-ref", "update-index", "diff-index", "read-tree"];

for (const when of ["before", "after"] as const) {
  test(`a landing killed ${when} any of its writing git calls is finished by the same call`, ENDURING, async () => {
    const stage = await busyScene();
    const commit = await createWork(stage, "r1", { "a.txt": "two\n", "gone.txt": null, "new.txt": "n\n" });
    await fill(stage.repo, { "b.txt": "mine\n" });
    run(stage.repo, ["commit", "-qam", "Beside it"]);
    await dirt(stage.repo);
    const call = `land(${JSON.stringify({ run: "r1", commit, date: DATE })})`;
    const expected = { files: { "a.txt": "two\n", "new.txt": "n\n" }, gone: ["gone.txt"] };
    expect(await killEverywhere(stage, { call, when, expected })).toBeGreaterThan(10);
  });
}

test("a revert killed before any of its writing git calls is finished by the same call", ENDURING, async () => {
  const stage = await busyScene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "gone.txt": null, "new.txt": "n\n" });
  await stage.workspace.land({ run: "r1", commit, date: DATE });
  await dirt(stage.repo);
  const call = `revert(${JSON.stringify({ run: "r1", commits: [commit], date: DATE })})`;
  const expected = { files: { "a.txt": "one\n", "gone.txt": "g\n" }, gone: ["new.txt"] };
  expect(await killEverywhere(stage, { call, when: "before", expected })).toBeGreaterThan(10);
});

type Expected = { readonly files: Readonly<Record<string, string>>; readonly gone: readonly string[] };
type Play = { readonly call: string; readonly when: "before" | "after"; readonly expected: Expected };

/**
 * One copy of the repository per git call, or per fourth: killed there, called again, and compared with an undisturbed
 * call.
 */
async function killEverywhere(stage: Scene, play: Play): Promise<number> {
  for (let at = 1; ; at += often(4, 1)) {
    const root = await temporary();
    await cp(stage.root, root, { recursive: true });
    const repo = join(root, "repo");
    const died = await playUntilCall(root, play, at);
    const workspace = await gitWorkspace({ repo, cache: join(root, "cache") });
    // The call is text because the first time another process makes it.
    const again = new Function("workspace", `return workspace.${play.call}`) as (
      on: typeof workspace,
    ) => Promise<unknown>;
    expect(await again(workspace), `killed ${play.when} git call ${at}`).toMatchObject({ checkout: { updated: true } });
    compare(repo, play.expected, `killed ${play.when} git call ${at}`);
    if (!died) return at - 1;
  }
}

function compare(repo: string, { files, gone }: Expected, where: string): void {
  for (const [path, text] of Object.entries(files)) expect(readFileSync(join(repo, path), "utf8"), where).toBe(text);
  for (const path of gone) expect(existsSync(join(repo, path)), where).toBe(false);
  const status = run(repo, ["status", "--porcelain"]).split("\n");
  expect(status, where).toEqual(["M  staged.txt", " M unstaged.txt", "?? untracked.txt"]);
  expect(tryRun(repo, ["for-each-ref", "refs/signalbox/MOVE/"]).out, where).toBe("");
  expect(existsSync(join(repo, ".git/index.lock")), where).toBe(false);
  expect(run(repo, ["stash", "list"]), where).toContain("stash@{0}");
}

/** Runs in a separate process that its git kills; returns true if it got that far. */
async function playUntilCall(root: string, { call, when }: Play, at: number): Promise<boolean> {
  const real = join(run(root, ["--exec-path"]), "git");
  const counter = join(root, "counter");
  const script = [
    "#!/bin/sh",
    `case " $* " in ${COUNTED.map((command) => `*" ${command} "*`).join("|")})`,
    `echo x >> ${counter}`,
    // Concurrent calls may count past it together.
    `if [ "$(wc -l < ${counter})" -ge ${at} ]; then`,
    when === "after" ? `${real} "$@"` : ":",
    "kill -9 $PPID; exit 1; fi;; esac",
    `exec ${real} "$@"`,
  ];
  await fill(root, { "bin/git": `${script.join("\n")}\n` });
  await chmod(join(root, "bin/git"), 0o755);
  const program = `
    const { gitWorkspace } = await import(${JSON.stringify(join(import.meta.dirname, "workspace.ts"))});
    const places = ${JSON.stringify({ repo: join(root, "repo"), cache: join(root, "cache") })};
    const workspace = await gitWorkspace(places);
    await workspace.${call};`;
  await writeFile(join(root, "victim.mjs"), program);
  const env = { ...process.env, PATH: `${join(root, "bin")}:${process.env["PATH"]}` };
  const child = spawn(process.execPath, [join(root, "victim.mjs")], { env, stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((done) => child.on("close", (_code, signal) => done(signal === "SIGKILL")));
}

async function busyScene(): Promise<Scene> {
  return scene({ "a.txt": "one\n", "b.txt": "b\n", "gone.txt": "g\n", "staged.txt": "s\n", "unstaged.txt": "u\n" });
}

/** The user's data that must not change, whatever happens. */
async function dirt(repo: string): Promise<void> {
  await fill(repo, { "unstaged.txt": "stashed\n" });
  run(repo, ["stash"]);
  await fill(repo, { "staged.txt": "mine\n", "unstaged.txt": "mine\n", "untracked.txt": "mine\n" });
  run(repo, ["add", "staged.txt"]);
}
