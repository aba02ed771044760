import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryWith } from "../ledger/repository.ts";

const BIN = new URL("../../bin/signalbox.js", import.meta.url).pathname;
const POINTS = 40;
const LANES = 2;

/** Each agent writes down that it began, in a file that no engine knows of. */
const mark = (ledger: string) => `      - run: 'printf "%s\\n" "$SIGNALBOX_COOKIE" >> ${ledger}'`;
const AGENTS = (ledger: string) => `agents:
  - role: planner
    do:
${mark(ledger)}
    output: { tasks: [{ id: greet, files: [src/greet.js] }, { id: wave, files: [src/wave.js] }] }
  - role: implementer
    do:
${mark(ledger)}
      - run: 'mkdir -p src; echo "export const it = 1;" > src/$SIGNALBOX_TASK.js'
    output: { status: DONE }
  - role: reviewer
    do:
${mark(ledger)}
    output: { verdicts: { security: approve, architecture: approve, correctness: approve } }
  - role: "*"
    do:
${mark(ledger)}
    output: { status: DONE }
`;

type Scene = { readonly dir: string; readonly repo: string; git(...args: string[]): string; remove(): void };

function scene(): Scene {
  const made = repositoryWith({ "README.md": "# Greeting\n", "src/old.js": "export const old = 1;\n" });
  mkdirSync(join(made.repo, ".signalbox"));
  writeFileSync(
    join(made.repo, ".signalbox", "config.yaml"),
    "commands:\n  build: test -f README.md\n  test: test -d src\n",
  );
  made.git("add", ".signalbox/config.yaml");
  made.git("commit", "-qm", "configure");
  writeFileSync(join(made.dir, "ledger"), "");
  writeFileSync(join(made.dir, "agents.yaml"), AGENTS(join(made.dir, "ledger")));
  return made;
}

function signalbox(at: Scene, args: readonly string[], killAfterMs?: number) {
  const from = performance.now();
  const env = {
    ...process.env,
    HOME: at.dir,
    XDG_CACHE_HOME: join(at.dir, "cache"),
    XDG_STATE_HOME: join(at.dir, "state"),
    SIGNALBOX_TRUST: "1",
    SIGNALBOX_SANDBOX: "off",
  };
  const child = spawn(process.execPath, [BIN, "-C", at.repo, "--json", ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (out += chunk));
  if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise<{ code: number | null; out: string; ms: number }>((resolve) =>
    child.on("close", (code) => resolve({ code, out, ms: performance.now() - from })),
  );
}

const RUN = (at: Scene) => [
  "run",
  "ledger",
  "Greet people",
  "--agents",
  join(at.dir, "agents.yaml"),
  "--approvals",
  "autonomous",
];

function verdict(at: Scene) {
  const starts = readFileSync(join(at.dir, "ledger"), "utf8").split("\n").filter(Boolean);
  const branches = at
    .git("for-each-ref", "--format=%(refname:short)", "refs/heads/signalbox/")
    .split("\n")
    .filter(Boolean);
  return {
    twice: starts.filter((start, index) => starts.indexOf(start) !== index),
    commits: branches.map((branch) => Number(at.git("rev-list", "--count", `main..${branch}`))),
    code: branches.map((branch) => at.git("rev-parse", `${branch}:src`)),
  };
}

/** The undisturbed run's length gives the moments; the same seed gives the same ones. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

async function killed(killAfterMs: number, code: string): Promise<string[]> {
  const at = scene();
  const name = `killed after ${Math.round(killAfterMs)} ms`;
  const first = await signalbox(at, RUN(at), killAfterMs);
  const begun = first.out.includes('"run.started"');
  const last = first.code !== null ? first : begun ? await signalbox(at, ["resume"]) : await signalbox(at, RUN(at));
  const seen = verdict(at);
  const wrong: string[] = [];
  if (last.code !== 0) wrong.push(`${name}: left with ${last.code}: ${last.out.slice(-800)}`);
  if (seen.twice.length > 0) wrong.push(`${name}: started twice: ${seen.twice.join()}`);
  if (seen.commits.join() !== "1") wrong.push(`${name}: commits ${seen.commits.join() || "none"}`);
  if (seen.code.join() !== code) wrong.push(`${name}: another tree`);
  at.remove();
  return wrong;
}

test(`[L-28] a whole ledger run, killed at ${POINTS} seeded moments and resumed, ends as if nothing had happened`, {
  timeout: 1_200_000,
}, async () => {
  const calm = scene();
  const { code, out, ms } = await signalbox(calm, RUN(calm));
  expect(out).toContain('"run.finished"');
  expect(code).toBe(0);
  const undisturbed = verdict(calm);
  expect(undisturbed).toMatchObject({ twice: [], commits: [1] });
  calm.remove();
  const random = seeded(23);
  const moments = Array.from({ length: POINTS }, () => (0.05 + 0.95 * random()) * ms);
  const wrong: string[] = [];
  const from = performance.now();
  const lane = async () => {
    for (let at = moments.shift(); at !== undefined; at = moments.shift())
      wrong.push(...(await killed(at, undisturbed.code.join())));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  console.log(
    `SIGKILL of whole ledger runs: ${POINTS} points in ${Math.round((performance.now() - from) / 1000)} s, ${wrong.length} violations`,
  );
  expect(wrong).toEqual([]);
});
