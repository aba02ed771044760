import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { hashEffectName } from "../../src/engine/execute/attempt/prepare-attempt.ts";
import { often } from "../often.ts";
import { seeded } from "./seeded.ts";
import { attemptOf, performerIn } from "./sleeper.ts";

const SLEEPER = fileURLToPath(new URL("sleeper.ts", import.meta.url));
const POINTS = often(6, 60);
const RUN = `paused-${process.pid}`;

const dir = mkdtempSync(join(tmpdir(), "signalbox-paused-"));
const places = { repo: join(dir, "repo"), cache: join(dir, "cache"), runs: join(dir, "runs") };
const git = (...args: string[]) => execFileSync("git", args, { cwd: places.repo, encoding: "utf8" }).trim();
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function makeRepository(): string {
  mkdirSync(places.repo);
  git("init", "-q", "-b", "main");
  for (let n = 0; n < 200; n++) writeFileSync(join(places.repo, `${n}.txt`), `${n}\n`);
  git("add", "--all");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "begin");
  return git("rev-parse", "HEAD^{tree}");
}

type Sleeper = { readonly child: ChildProcess; readonly lines: Interface };

async function startSleeper(): Promise<Sleeper> {
  const args = [SLEEPER, places.repo, places.cache, places.runs];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
  await once(lines, "line");
  return { child, lines };
}

/** Waits until the agent has recorded its end itself: from then on its answer and files are complete. */
async function waitForAgentEnd(effect: { id: string; run: string }): Promise<void> {
  const exit = join(places.runs, RUN, "spool", hashEffectName(createRealWorld({}), effect), "exit");
  while (!existsSync(exit)) await wait(1);
}

type Moment = { readonly n: number; readonly stopMs: number; readonly wakeMs: number };

test(`an engine that wakes up while its attempt is adopted takes nothing from it: ${POINTS} seeded moments`, {
  timeout: 600_000,
}, async () => {
  const tree = makeRepository();
  const { child, lines } = await startSleeper();
  const heir = await performerIn(places);
  const random = seeded(23);
  const adopt = async ({ n, stopMs, wakeMs }: Moment) => {
    const effect = attemptOf(RUN, tree, n);
    const over = once(lines, "line");
    child.stdin?.write(`${JSON.stringify(effect)}\n`);
    await waitForAgentEnd(effect);
    await wait(stopMs);
    child.kill("SIGSTOP");
    const adopting = heir.recover(effect, new AbortController().signal).catch((error: Error) => error.message);
    await wait(wakeMs);
    child.kill("SIGCONT");
    const [result] = await Promise.all([adopting, over]);
    return result;
  };
  const results: unknown[] = [];
  for (let n = 1; n <= POINTS; n++) results.push(await adopt({ n, stopMs: random() * 150, wakeMs: random() * 150 }));
  await heir.settled();
  child.kill("SIGKILL");
  const right = { outcome: "done", adopted: true, changed: ["part.txt"], contract: { did: "the part" } };
  const wrong = results.filter((result) => {
    try {
      expect(result).toMatchObject(right);
      return false;
    } catch {
      return true;
    }
  });
  console.log(`SIGSTOP and SIGCONT: ${POINTS} adoptions, ${wrong.length} wrong`);
  expect(wrong).toEqual([]);
  expect(readdirSync(join(places.cache, "attempts")).filter((name) => name !== ".git")).toEqual([]);
});
