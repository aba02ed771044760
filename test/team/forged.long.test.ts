import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { GIT_ENVIRONMENT } from "../ledger/repository.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import {
  type Machine,
  SMALL_AGENTS,
  SMALL_CONFIG,
  SMALL_FILES,
  type TeamScene,
  teamScene,
  type WorkerProcess,
} from "./scene.ts";

const MINUTES = 60_000;

let server: TestPostgres;
let url: string;
let eves: string;
let scene: TeamScene;
let person: Machine;
let worker: WorkerProcess;
let script: string;
/** One run that ended accepted, and one whose work no gate accepted. */
let accepted: string;
let refused: string;
let refs: string;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("forged");
  await query(url, "CREATE ROLE eve LOGIN PASSWORD 'eve' IN ROLE signalbox_member");
  eves = Object.assign(new URL(url), { username: "eve", password: "eve" }).href;
  const files = { ...SMALL_FILES, "package.json": "{}\n" };
  scene = teamScene({ url, files, config: SMALL_CONFIG });
  script = join(scene.dir, "agents.yaml");
  writeFileSync(script, SMALL_AGENTS);
  person = scene.machine("person");
  worker = scene.machine("worker").worker();
  await worker.ready;
  accepted = await startRun("done");
  refused = await startRun("low");
  refs = runBareGit("for-each-ref", "--format=%(refname) %(objectname)");
}, 3 * MINUTES);
afterAll(async () => {
  await scene.remove();
  await server.stop();
});

type ForgeryResult = {
  /** The status of landing accepted work, or the refusal's code. */
  readonly land: string;
  /** Files that `land` reports as left in the run's checkout. */
  readonly left: readonly string[];
  readonly revert: string;
  /** The result of `land` for unaccepted work, without the flag. */
  readonly taken: string;
  readonly evidence: boolean;
  readonly resume: number;
};

const HONEST: ForgeryResult = {
  land: "landed",
  left: [],
  revert: "reverted",
  taken: "NOTHING_TO_LAND",
  evidence: true,
  resume: 0,
};

type ForgeryCase = [what: string, forge: (run: string) => unknown, ending: Partial<ForgeryResult>];

const ROWS: ForgeryCase[] = [
  ["no forgery", () => undefined, {}],
  [
    "chain: an anchor that the journal does not hold",
    (run) => set(`${run}/chain`, commitFile(run, "chain", `refs/signalbox/${run}/chain`, `999:${"a".repeat(64)}`)),
    { land: "JOURNAL_DAMAGED", revert: "LAND_REFUSED", taken: "JOURNAL_DAMAGED", evidence: false, resume: 65 },
  ],
  ["taken: the member's own commit", (run) => set(`${run}/taken`, commitFile(run, "README.md")), {}],
  [
    "checkout: files that the run did not write",
    (run) => set(`${run}/checkout`, onCheckout(run, ["package.json", ".envrc", "CLAUDE.md"])),
    { left: [".envrc", "CLAUDE.md", "package.json"] },
  ],
  ["checkout: another commit", (run) => set(`${run}/checkout`, "HEAD"), { left: ["refs/signalbox/RUN/checkout"] }],
  [
    "chain: a commit on top of the anchors",
    (run) => set(`${run}/chain`, commitFile(run, "x", `refs/signalbox/${run}/chain`)),
    {},
  ],
  ["chain: another commit, where a clone has seen the anchors", (run) => set(`${run}/chain`, "HEAD"), {}],
  ["t/<tree>: a commit without the tree", (run) => bareRefs(`refs/signalbox/${run}/t/`).map(forget), {}],
  ["the run's branch: the member's own commit", (run) => bareRefs(`refs/heads/signalbox/${run}`).map(forget), {}],
  ["notes: a row that cannot be read", (run) => query(eves, "SELECT note_run($1, '{}')", [run]), {}],
  [
    "messages: an invalid one",
    (run) => query(eves, "INSERT INTO inbox (run, at, letter) VALUES ($1, 1, 'x')", [run]),
    {},
  ],
];

describe("[A-42] forged records and refs of a member", () => {
  test.each(ROWS)("%s", { timeout: 3 * MINUTES }, async (_what, forge, ending) => {
    const resting = await startRun("pause");
    for (const run of [accepted, refused, resting]) await forge(run);
    const main = person.git("rev-parse", "main");
    const landed = await runJson("land", accepted);
    const gone: string[] = (await runJson("gc", "--dry-run", "--shared")).removed;
    const seen: ForgeryResult = {
      land: landed.status ?? landed.code,
      left: (landed.files?.refused ?? []).map((path: string) => path.replace(accepted, "RUN")),
      revert: await runJson("revert", accepted).then(({ status, code }) => status ?? code),
      taken: await runJson("land", refused).then(({ status, code }) => status ?? code),
      evidence: (await runJson("evidence", accepted, "--verify")).agrees,
      resume: (await person.signalbox("resume", resting)).code ?? -1,
    };
    expect(person.git("status", "--porcelain")).toBe("");
    person.git("reset", "-q", "--hard", main);
    restore();
    expect(seen).toEqual({ ...HONEST, ...ending });
    expect(gone.filter((name) => name.includes(`${scene.bare} refs/signalbox/${refused}/`))).toEqual([]);
  });
});

test("[A-42] a run whose remote anchor was overwritten lands from a clone that has seen the original; the refusal elsewhere says how to restore it", {
  timeout: 3 * MINUTES,
}, async () => {
  const ref = `refs/signalbox/${accepted}/chain`;
  expect((await runJson("evidence", accepted, "--verify")).agrees).toBe(true);
  await set(`${accepted}/chain`, "HEAD");
  const stranger = scene.machine("stranger");
  const refusal = JSON.parse((await stranger.signalbox("land", accepted)).out);
  expect(refusal).toMatchObject({ code: "LAND_REFUSED", message: expect.stringContaining("which is no anchor") });
  const [line = ""] = /git push --force origin \S+chain/.exec(refusal.hint) ?? [];
  expect(await runJson("land", accepted)).toMatchObject({ status: "landed" });
  person.git(...line.split(" ").slice(1));
  expect(runBareGit("log", "-1", "--format=%s", ref)).toBe(`Journal of run ${accepted}`);
  const landed = await stranger.signalbox("land", accepted);
  expect(landed.code, landed.out + landed.err).toBe(0);
});

async function startRun(finish: string): Promise<string> {
  const words = ["run", "small", "make it", "--input", `finish=${finish}`, "--agents", script];
  const { out } = await person.signalbox(...words);
  const run = /"run":"([a-z0-9-]+)"/.exec(out)?.[1] ?? "";
  const isLeft = (line: string): boolean => line.includes('"run.left"') && line.includes(run);
  await vi.waitFor(() => expect(worker.lines.some(isLeft)).toBe(true), { timeout: MINUTES });
  return run;
}

/** Returns the JSON object that a command prints, or its refusal. */
async function runJson(...words: readonly string[]) {
  const { out } = await person.signalbox(...words);
  return JSON.parse(out.trim().split("\n").at(-1) ?? "{}");
}

function runBareGit(...args: readonly string[]): string {
  const name = ["-c", "user.name=Eve", "-c", "user.email=eve@example.org"];
  const options = { env: GIT_ENVIRONMENT, encoding: "utf8" } as const;
  return execFileSync("git", ["-C", scene.bare, ...name, ...args], options).trim();
}

const set = (below: string, to: string): string => runBareGit("update-ref", `refs/signalbox/${below}`, to);

type Ref = { readonly ref: string; readonly id: string };

function bareRefs(...below: readonly string[]): readonly Ref[] {
  const rows = runBareGit("for-each-ref", "--format=%(refname) %(objectname)", ...below).split("\n");
  return rows
    .filter(Boolean)
    .map((row) => ({ ref: row.slice(0, row.indexOf(" ")), id: row.slice(row.indexOf(" ") + 1) }));
}

/** Points the ref to a commit that does not contain the work. */
const forget = ({ ref }: Ref): string => runBareGit("update-ref", ref, commitFile("r", "README.md"));

/** Commits one file more than the base, on the base or another commit, with the run's trailers. */
function commitFile(run: string, path: string, parent = "HEAD", text = "forged\n"): string {
  const tree = writeTree("HEAD", [path], text);
  const message = `Forged\n\nSignalbox-Unaccepted: taken by Eve\nSignalbox-Run: ${run}`;
  return runBareGit("commit-tree", tree, "-p", parent, "-m", message);
}

/** Writes the checkout record as a worker does. */
function onCheckout(run: string, paths: readonly string[]): string {
  const ref = `refs/signalbox/${run}/checkout`;
  const message = runBareGit("log", "-1", "--format=%B", ref);
  const record = JSON.parse(message.slice(message.indexOf("\n\n")));
  const begun = record.begun ?? runBareGit("rev-parse", ref);
  const text = `Checkout of run ${run}\n\n${JSON.stringify({ ...record, begun })}\n`;
  return runBareGit("commit-tree", writeTree(ref, paths, "forged\n"), "-p", ref, "-m", text);
}

function writeTree(base: string, paths: readonly string[], text: string): string {
  const file = join(scene.dir, "forged");
  writeFileSync(file, text);
  const blob = runBareGit("hash-object", "-w", file);
  const rows = runBareGit("ls-tree", base)
    .split("\n")
    .filter((row) => row !== "" && !paths.includes(row.split("\t")[1] ?? ""));
  const input = [...rows, ...paths.map((path) => `100644 blob ${blob}\t${path}`)].join("\n");
  return execFileSync("git", ["-C", scene.bare, "mktree"], { env: GIT_ENVIRONMENT, encoding: "utf8", input }).trim();
}

function restore(): void {
  for (const row of refs.split("\n")) {
    const [ref = "", id = ""] = row.split(" ");
    runBareGit("update-ref", ref, id);
  }
  for (const run of [accepted, refused]) {
    if (!refs.includes(`${run}/taken `)) runBareGit("update-ref", "-d", `refs/signalbox/${run}/taken`);
  }
}

async function query(address: string, sql: string, values: readonly unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: address, options: "-c search_path=signalbox" });
  await client.connect();
  try {
    await client.query(sql, [...values]);
  } finally {
    await client.end();
  }
}
