import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

/** Creates a PATH folder with a git that blocks once while it takes a snapshot. */
function createBlockingGit(): { readonly env: Record<string, string>; stands(): Promise<number> } {
  const home = mkdtempSync(join(tmpdir(), "signalbox-slow-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const real = join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git");
  const mark = join(home, "stands");
  mkdirSync(join(home, "bin"));
  writeFileSync(
    join(home, "bin", "git"),
    `#!/bin/sh
case " $* " in *" update-index -z --add "*)
  if [ ! -e ${mark} ]; then
    echo half > "$GIT_OBJECT_DIRECTORY/tmp_obj_half"
    sleep 600 & echo $! > ${mark}.new; mv ${mark}.new ${mark}; wait
  fi;;
esac
exec ${real} "$@"
`,
  );
  chmodSync(join(home, "bin", "git"), 0o755);
  return {
    env: { SIGNALBOX_SANDBOX: "off", PATH: `${join(home, "bin")}${delimiter}${process.env["PATH"]}` },
    async stands() {
      while (!existsSync(mark)) await wait(10);
      return Number(readFileSync(mark, "utf8"));
    },
  };
}

const start = (scene: Scene, ...flags: readonly string[]) =>
  scene.start("run", "small", "x", "--agents", scene.agents, "--json", ...flags);

async function expectNothingLeft(scene: Scene, pid: number): Promise<void> {
  while (isRunning(pid)) await wait(10);
  const objects = readdirSync(join(scene.repo, ".git/objects"), { recursive: true }).map(String);
  expect(objects.filter((name) => name.includes("tmp_"))).toEqual([]);
}

test("one Ctrl-C during a git snapshot stops git and suspends the run, which continues on resume", async () => {
  const slow = createBlockingGit();
  const scene = makeScene({ env: slow.env });
  const talk = start(scene);
  const pid = await slow.stands();
  talk.kill("SIGINT");
  const ended = await talk.ended;
  expect(ended.exit, ended.out + ended.err).toBe(130);
  expect(lastEvent(ended)).toMatchObject({ type: "run.suspended", status: "interrupted" });
  await expectNothingLeft(scene, pid);
  const resumed = await scene.signalbox("resume", "--json");
  expect(lastEvent(resumed), resumed.out + resumed.err).toMatchObject({ type: "run.finished", status: "done" });
});

test("a time limit applies during a git snapshot", async () => {
  const slow = createBlockingGit();
  const scene = makeScene({ env: slow.env });
  const ended = await start(scene, "--max-time", "4s").ended;
  expect(lastEvent(ended), ended.out + ended.err).toMatchObject({ type: "run.suspended", status: "time" });
  await expectNothingLeft(scene, await slow.stands());
});

test("a second Ctrl-C leaves no git process behind either", async () => {
  const slow = createBlockingGit();
  const scene = makeScene({ env: slow.env });
  const talk = start(scene);
  const pid = await slow.stands();
  talk.kill("SIGINT");
  talk.kill("SIGTERM");
  await talk.ended;
  await expectNothingLeft(scene, pid);
});

test("an agent that leaves a 300 GB file fails its contract with an error that names the file", async () => {
  const scene = makeScene({ env: { SIGNALBOX_SANDBOX: "off" } });
  const line = "truncate -s 300G x";
  writeFileSync(scene.agents, `agents: [{ role: writer, do: [{ run: "${line}" }], output: { summary: a big one } }]\n`);
  const ended = await start(scene).ended;
  expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "error", exit: 1 });
  const failed = ended.events.find(({ type }) => type === "agent.finished");
  expect(failed?.["failure"]).toMatchObject({ class: "contract", code: "files_too_large" });
  expect(JSON.stringify(failed)).toContain("not taken: x is 300 GiB; a snapshot accepts files up to 512 MiB");
});

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
