import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { findRepository } from "../repository/repository.ts";
import { DATE, fill, run, tryRun } from "../scene.suite.ts";
import { openRemote } from "./remote.ts";
import { again, edit, type Member, remoteRefs, type Team, team } from "./team.suite.ts";

const RUN = "r1";

type Stage = Team & { readonly a: Member; readonly b: Member };

async function stage(): Promise<Stage> {
  const made = await team();
  const [a, b] = await Promise.all([made.member("a"), made.member("b")]);
  await a.workspace.begin(RUN, { commit: made.commit, books: [] });
  return { ...made, a, b };
}

test("work that could not be published because the remote was gone is published when it is back", async () => {
  const at = await stage();
  const own = at.a.workspace.of(RUN, 1);
  const tree = await own.render(at.tree, [{ path: "a.txt", text: "two\n" }]);
  await own.pin(RUN, tree);
  await rename(at.bare, `${at.bare}.away`);
  await expect(own.publish()).rejects.toMatchObject({ code: "REMOTE_NOT_A_REPOSITORY" });
  await rename(`${at.bare}.away`, at.bare);
  expect(remoteRefs(at)).not.toContain(`refs/signalbox/${RUN}/t/${tree}`);
  const next = (await again(at.a)).workspace.of(RUN, 2);
  await next.pin(RUN, tree);
  await next.publish();
  expect((await at.b.workspace.of(RUN, 1).file("a.txt", tree))?.text).toBe("two\n");
});

test("an unresponsive machine is unreachable, and only its name is reported", async () => {
  const at = await stage();
  // No process listens on this port.
  run(at.b.repo, ["remote", "set-url", "origin", "http://ada:geheim@127.0.0.1:9/a/b.git"]);
  const asked = (await again(at.b)).workspace.of(RUN, 1).files("", at.tree);
  const failure: Error = await asked.then(
    () => Promise.reject(new Error("it answered")),
    (error: Error) => error,
  );
  expect(failure).toMatchObject({
    code: "REMOTE_UNREACHABLE",
    message: expect.stringContaining("127.0.0.1:9/a/b.git"),
  });
  expect(failure.message).not.toMatch(/geheim|ada/);
});

test("a push that the remote's own rule declines is reported with its message", async () => {
  const at = await stage();
  await hook(at, "echo 'no run refs here' >&2; exit 1");
  const asked = edit(at.a, RUN, { tree: at.tree, files: { "a.txt": "two\n" } });
  await expect(asked).rejects.toMatchObject({ code: "REMOTE_REFUSED", message: expect.stringContaining("declined") });
});

test.skipIf(process.getuid?.() === 0)(
  "a remote that cannot be written to refuses the push (skipped as root)",
  async () => {
    const at = await stage();
    await chmod(join(at.bare, "objects"), 0o500);
    const asked = edit(at.a, RUN, { tree: at.tree, files: { "a.txt": "two\n" } });
    await expect(asked).rejects.toMatchObject({ code: "REMOTE_REFUSED" });
    await chmod(join(at.bare, "objects"), 0o700);
  },
);

test("no hook, option or pruning of the clone's own settings affects fetches and pushes", async () => {
  const at = await stage();
  const ran = join(at.root, "ran");
  const settings = { "fetch.prune": "true", "push.gpgSign": "true", "push.pushOption": "x", "push.followTags": "true" };
  for (const [name, value] of Object.entries(settings)) run(at.a.repo, ["config", name, value]);
  run(at.a.repo, ["-c", "user.name=Ada", "-c", "user.email=a@example.org", "tag", "-a", "mine", "-m", "mine"]);
  await hookIn(join(at.a.repo, ".git", "hooks"), "pre-push", `touch ${ran}; exit 1`);
  await hookIn(join(at.a.repo, ".git", "hooks"), "reference-transaction", `touch ${ran}`);
  const own = await edit(await again(at.a), RUN, { tree: at.tree, files: { "a.txt": "two\n" } });
  const theirs = await edit(at.b, RUN, { tree: at.tree, files: { "b.txt": "two\n" } });
  const { workspace } = await again(at.a);
  expect(await workspace.of(RUN, 1).files("", theirs)).toEqual(["a.txt", "b.txt"]);
  expect(run(at.a.repo, ["rev-parse", `refs/signalbox/${RUN}/t/${own}^{tree}`])).toBe(own);
  expect(tryRun(at.root, ["hash-object", ran]).code).not.toBe(0);
  expect(remoteRefs(at, "refs/tags/")).toEqual([]);
});

test("an interrupted push has published nothing, and the next one succeeds", async () => {
  const at = await stage();
  const entered = join(at.root, "entered");
  // The remote holds the push at its last moment until it is ended.
  await hook(at, `touch ${entered}; while [ -e ${entered} ]; do sleep 0.05; done`);
  const stop = new AbortController();
  const own = at.a.workspace.of(RUN, 1);
  const tree = await own.render(at.tree, [{ path: "a.txt", text: "two\n" }]);
  await own.pin(RUN, tree);
  const pushing = own.owned(stop.signal, () => own.publish());
  const ended = expect(pushing).rejects.toThrow("enough");
  await vi.waitUntil(async () => (await readdir(at.root)).includes("entered"), { timeout: 20_000 });
  stop.abort(new Error("enough"));
  await ended;
  expect(remoteRefs(at)).not.toContain(`refs/signalbox/${RUN}/t/${tree}`);
  await rm(join(at.bare, "hooks", "pre-receive"));
  await rm(entered);
  const next = at.a.workspace.of(RUN, 2);
  await next.pin(RUN, tree);
  await next.publish();
  expect(remoteRefs(at)).toContain(`refs/signalbox/${RUN}/t/${tree}`);
});

test("a stalled remote is unreachable: the push is ended with its child processes, and not retried", async () => {
  const at = await stage();
  const pids = join(at.root, "pids");
  await hook(at, `trap '' TERM; sleep 600 & echo $! $$ >> ${pids}; wait; wait`);
  const remote = await openRemote(await findRepository(at.a.repo), "origin", 1_000);
  const pushing = remote.push([{ ref: "refs/signalbox/r2/t/1", to: at.commit }]);
  await expect(pushing).rejects.toMatchObject({
    code: "REMOTE_UNREACHABLE",
    message: expect.stringContaining("it stalled"),
  });
  const started = (await readFile(pids, "utf8")).trim().split(/\s+/).map(Number);
  expect(started).toHaveLength(2);
  await vi.waitUntil(() => started.every((pid) => !isRunning(pid)), { timeout: 20_000 });
});

test("a slow remote that reports progress is waited for", async () => {
  const at = await stage();
  await hook(at, "for i in 1 2 3 4 5 6 7 8; do echo still at it >&2; sleep 0.5; done");
  const remote = await openRemote(await findRepository(at.a.repo), "origin", 3_000);
  const ref = "refs/signalbox/r2/t/1";
  expect(await remote.push([{ ref, to: at.commit }])).toEqual(new Map([[ref, "done"]]));
});

test("an owner that is killed while it commits has committed once or not at all, and its successor finishes", async () => {
  const at = await stage();
  const tree = await edit(at.b, RUN, { tree: at.tree, files: { "a.txt": "two\n" } });
  const order = { run: RUN, tree, message: "Work", branch: `signalbox/${RUN}`, parent: at.commit, date: DATE };
  const entered = join(at.root, "entered");
  // After the point of no return: the refs have moved, and the owner is not notified.
  await hookIn(
    join(at.bare, "hooks"),
    "post-receive",
    `touch ${entered}; while [ -e ${entered} ]; do sleep 0.05; done`,
  );
  const stop = new AbortController();
  const own = at.a.workspace.of(RUN, 1);
  const ended = expect(own.owned(stop.signal, () => own.commit(order))).rejects.toThrow("enough");
  await vi.waitUntil(async () => (await readdir(at.root)).includes("entered"), { timeout: 20_000 });
  stop.abort(new Error("enough"));
  await ended;
  await rm(join(at.bare, "hooks", "post-receive"));
  await rm(entered);
  const { commit } = await at.b.workspace.of(RUN, 2).commit(order);
  expect(run(at.bare, ["rev-list", `${at.commit}..signalbox/${RUN}`])).toBe(commit);
});

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function hook({ bare }: Team, script: string): Promise<void> {
  await hookIn(join(bare, "hooks"), "pre-receive", script);
}

async function hookIn(dir: string, name: string, script: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await fill(dir, { [name]: `#!/bin/sh\n${script}\n` });
  await chmod(join(dir, name), 0o755);
}
