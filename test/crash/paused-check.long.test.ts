import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { seeded } from "./seeded.ts";

const VICTIM = fileURLToPath(new URL("victim.ts", import.meta.url));
const POINTS = process.env["SIGNALBOX_CRASH"] === "all" ? 40 : 4;
const LEASE_MS = 1_500;
const PATIENCE_MS = 300_000;

const root = mkdtempSync(join(tmpdir(), "signalbox-paused-check-"));
const engines: ChildProcess[] = [];
afterAll(() => {
  for (const engine of engines) engine.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

const AGENTS = `agents:
  - { role: reader, output: { found: something } }
  - { role: writer, do: [{ run: 'echo done > "$SIGNALBOX_INSTANCE.txt"' }], output: { did: the part } }
`;

function createScene(dir: string): void {
  const repo = join(dir, "repo");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: repo });
  mkdirSync(repo, { recursive: true });
  git("init", "-q", "-b", "main");
  writeFileSync(join(repo, "a.txt"), "a\n");
  git("add", "a.txt");
  git("commit", "-qm", "begin");
  writeFileSync(join(dir, "agents.yaml"), AGENTS);
  for (const name of ["starts", "ends"]) writeFileSync(join(dir, name), "");
}

const readLines = (dir: string, name: string) => readFileSync(join(dir, name), "utf8").split("\n").filter(Boolean);

/** Returns a check that records its start and end in a file that no engine reads. */
const createCheck = (dir: string): string => {
  const note = (name: string) => `printf '%s\\n' "$SIGNALBOX_COOKIE" >> ${join(dir, name)}`;
  return `${note("starts")}; sleep 1.2; ${note("ends")}`;
};

type Engine = { readonly child: ChildProcess; readonly left: Promise<{ code: number | null; out: string }> };

function startEngine(dir: string): Engine {
  const args = [VICTIM, "--dir", dir, "--lease", String(LEASE_MS), "--check", createCheck(dir)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  engines.push(child);
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (out += chunk));
  const left = once(child, "close").then(([code]) => ({ code: code as number | null, out }));
  return { child, left };
}

async function started(dir: string, count: number): Promise<void> {
  for (const from = performance.now(); readLines(dir, "starts").length < count; await wait(5)) {
    if (performance.now() - from > PATIENCE_MS) throw new Error(`no check number ${count} within ${PATIENCE_MS} ms`);
  }
}

type Moment = { readonly name: string; readonly check: number; readonly wakeMs: number };

/** Returns the problems after the engine slept from its n-th check until its successor ran the same check. */
async function findProblems({ name, check, wakeMs }: Moment): Promise<string[]> {
  const dir = join(root, name);
  createScene(dir);
  const sleeper = startEngine(dir);
  await started(dir, check);
  sleeper.child.kill("SIGSTOP");
  const heir = startEngine(dir);
  await started(dir, check + 1);
  await wait(wakeMs);
  sleeper.child.kill("SIGCONT");
  const [slept, went] = await Promise.all([sleeper.left, heir.left]);
  const ended = new Set(readLines(dir, "ends"));
  const cutOff = readLines(dir, "starts")
    .slice(check)
    .filter((mark) => mark.includes("~2.") && !ended.has(mark));
  return [
    ...(went.code === 0 ? [] : [`${name}: the heir left with ${went.code}: ${went.out.slice(-600)}`]),
    ...(slept.code !== 0 && slept.out.includes("FENCED") ? [] : [`${name}: who slept: ${slept.code} ${slept.out}`]),
    ...cutOff.map((mark) => `${name}: a check of the heir was cut off: ${mark}`),
    ...readdirSync(join(dir, "cache", "homes")).map((home) => `${name}: ${home} was left`),
  ];
}

test(`an engine that wakes up stops no check of the engine that took over its run: ${POINTS} seeded moments`, {
  timeout: 600_000,
}, async () => {
  const random = seeded(41);
  const moments = Array.from({ length: POINTS }, (_, n) => ({
    name: `moment-${n}`,
    check: 1 + (n % 2),
    wakeMs: random() * 1_000,
  }));
  const wrong: string[] = [];
  const lane = async () => {
    for (let next = moments.shift(); next; next = moments.shift()) wrong.push(...(await findProblems(next)));
  };
  await Promise.all([lane(), lane()]);
  console.log(`SIGSTOP and SIGCONT during checks: ${POINTS} runs taken over, ${wrong.length} wrong`);
  expect(wrong).toEqual([]);
});
