import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { often } from "../often.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { seeded } from "./seeded.ts";

const VICTIM = fileURLToPath(new URL("victim.ts", import.meta.url));
const POINTS = often(6, 40);
/** Parallel processes: a kill must hit a run that is running, not one that waits for a processor. */
const LANES = 2;

const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
const root = mkdtempSync(join(tmpdir(), "signalbox-kill-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Each agent records its start in a file that no engine knows. */
const AGENTS = `agents:
  - role: reader
    do:
      - run: 'printf "%s\\n" "$SIGNALBOX_COOKIE" >> LEDGER'
      - sleep: 40
    output: { found: something }
  - role: writer
    do:
      - run: 'printf "%s\\n" "$SIGNALBOX_COOKIE" >> LEDGER'
      - sleep: 60
      - run: 'echo done > "$SIGNALBOX_INSTANCE.txt"'
    output: { did: the part }
`;

function scene(name: string): string {
  const dir = join(root, name);
  mkdirSync(join(dir, "repo"), { recursive: true });
  const repo = join(dir, "repo");
  git(repo, "init", "-q", "-b", "main");
  writeFileSync(join(repo, "a.txt"), "a\n");
  git(repo, "add", "a.txt");
  git(repo, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "begin");
  writeFileSync(join(dir, "ledger"), "");
  writeFileSync(join(dir, "agents.yaml"), AGENTS.replaceAll("LEDGER", join(dir, "ledger")));
  return dir;
}

type Life = { readonly code: number | null; readonly out: string; readonly ms: number };

type Doom = { readonly url?: string; readonly killAfterMs?: number; readonly die?: string };

function life(dir: string, options: Doom = {}): Promise<Life> {
  const from = performance.now();
  const child = spawn(
    process.execPath,
    [
      VICTIM,
      "--dir",
      dir,
      ...(options.url ? ["--url", options.url] : []),
      ...(options.die ? ["--die", options.die] : []),
    ],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let out = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (out += chunk));
  if (options.killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), options.killAfterMs);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, ms: performance.now() - from })));
}

function verdict(dir: string): { twice: string[]; perStep: number; commits: number; tree: string } {
  const starts = readFileSync(join(dir, "ledger"), "utf8").split("\n").filter(Boolean);
  const twice = starts.filter((start, index) => starts.indexOf(start) !== index);
  const steps = starts.map((start) => start.slice(0, start.lastIndexOf("@")));
  const perStep = Math.max(...steps.map((step) => steps.filter((each) => each === step).length));
  const branch = git(join(dir, "repo"), "for-each-ref", "--format=%(refname)", "refs/heads/signalbox/");
  const commits = branch ? git(join(dir, "repo"), "rev-list", "--count", `main..${branch}`) : "0";
  return {
    twice,
    perStep,
    commits: Number(commits),
    tree: branch ? git(join(dir, "repo"), "rev-parse", `${branch}^{tree}`) : "",
  };
}

async function point(
  name: string,
  at: Doom & { readonly tree: string; readonly interruptions: number },
): Promise<string[]> {
  const dir = scene(name);
  const first = await life(dir, at);
  const second = await life(dir, at.url === undefined ? {} : { url: at.url });
  if (at.die && first.code !== null) return [`${name}: it was not killed: ${first.out.slice(-300)}`];
  const { twice, perStep, commits, tree } = verdict(dir);
  const wrong: string[] = [];
  if (second.code !== 0) wrong.push(`${name}: resumed run left with ${second.code}: ${second.out.slice(-600)}`);
  if (twice.length > 0) wrong.push(`${name}: started twice: ${twice.join()}`);
  if (perStep > 1 + at.interruptions) wrong.push(`${name}: ${perStep} starts of one step`);
  if (commits !== 1) wrong.push(`${name}: ${commits} commits`);
  if (tree !== at.tree)
    wrong.push(
      `${name}: another tree than the undisturbed run (${at.die ?? `killed after ${Math.round(at.killAfterMs ?? 0)} ms`}, ${first.code})`,
    );
  if (wrong.length === 0) rmSync(dir, { recursive: true, force: true });
  return wrong;
}

async function lanes<T>(items: readonly T[], each: (item: T) => Promise<string[]>): Promise<string[]> {
  const queue = [...items];
  const wrong: string[] = [];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) wrong.push(...(await each(item)));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return wrong;
}

describe("an engine killed by a real SIGKILL", () => {
  test("on SQLite at seeded points: every attempt starts at most once, and there is one commit", {
    timeout: 900_000,
  }, async () => {
    const calm = scene("sqlite-calm");
    const { code, ms, out } = await life(calm);
    expect(out).toContain('"done"');
    expect(code).toBe(0);
    const { tree, perStep, commits } = verdict(calm);
    expect({ perStep, commits }).toEqual({ perStep: 1, commits: 1 });
    const random = seeded(7);
    const points = Array.from({ length: POINTS }, (_, n) => ({ n, killAfterMs: (0.15 + 0.85 * random()) * ms }));
    const from = performance.now();
    const wrong = await lanes(points, ({ n, killAfterMs }) =>
      point(`sqlite-${n}`, { killAfterMs, tree, interruptions: 1 }),
    );
    console.log(
      `SIGKILL on SQLite: ${POINTS} points in ${Math.round((performance.now() - from) / 1000)} s, ${wrong.length} violations`,
    );
    expect(wrong).toEqual([]);
  });

  const KINDS = ["see", "attempt", "merge", "check", "write", "commit"];
  const MOMENTS = ["before", "during", "after"];
  test("on SQLite: before, during and after every kind of effect", { timeout: 600_000 }, async () => {
    const calm = scene("kinds-calm");
    expect((await life(calm)).code).toBe(0);
    const { tree } = verdict(calm);
    const points = KINDS.flatMap((kind) => MOMENTS.map((moment) => `${kind}:${moment}`));
    const from = performance.now();
    const wrong = await lanes(points, (die) => point(`kind-${die.replace(":", "-")}`, { die, tree, interruptions: 1 }));
    console.log(
      `SIGKILL around effects: ${points.length} points in ${Math.round((performance.now() - from) / 1000)} s, ${wrong.length} violations`,
    );
    expect(wrong).toEqual([]);
  });

  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  test("on DBOS at seeded points: every attempt starts at most once, and there is one commit", {
    timeout: 900_000,
  }, async () => {
    const calm = scene("dbos-calm");
    const { code, ms, out } = await life(calm, { url: await postgres.team("kill_calm") });
    expect(out).toContain('"done"');
    expect(code).toBe(0);
    const { tree } = verdict(calm);
    const random = seeded(11);
    const points = Array.from({ length: POINTS }, (_, n) => ({ n, killAfterMs: (0.15 + 0.85 * random()) * ms }));
    const from = performance.now();
    const wrong = await lanes(points, async ({ n, killAfterMs }) =>
      point(`dbos-${n}`, { killAfterMs, tree, interruptions: 3, url: await postgres.team(`kill_${n}`) }),
    );
    console.log(
      `SIGKILL on DBOS: ${POINTS} points in ${Math.round((performance.now() - from) / 1000)} s, ${wrong.length} violations`,
    );
    expect(wrong).toEqual([]);
  });
});
