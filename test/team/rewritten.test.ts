import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { realWorld } from "../../src/cli/real-world.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { openTeam } from "../../src/hosts/dbos/open-team.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { type Forger, forgerOf } from "./forger.ts";
import { type Machine, type TeamScene, teamScene, type WorkerProcess } from "./scene.ts";

const MINUTES = 60_000;
const PIPELINE = readFileSync(new URL("../cli/fixtures/small.ts", import.meta.url), "utf8");
const AGENTS = `agents:
  - role: writer
    do: [{ write: { path: a.txt, content: "written\\n" } }]
    output: { summary: write a file }
`;

let server: TestPostgres;
let url: string;
let scene: TeamScene;
let person: Machine;
let worker: WorkerProcess;
let forger: Forger;
let script: string;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("rewritten");
  const files = { "README.md": "# here\n", ".signalbox/pipelines/small.ts": PIPELINE };
  scene = teamScene({ url, files, config: "no-checks: nothing is checked here\n" });
  script = join(scene.dir, "agents.yaml");
  writeFileSync(script, AGENTS);
  person = scene.machine("person");
  forger = forgerOf(url);
  worker = scene.machine("worker").worker();
  await worker.ready;
}, 3 * MINUTES);
afterAll(async () => {
  await scene.remove();
  await server.stop();
});

test("a journal that was rewritten with fitting hashes is gone on with by nobody, and keeps the anchor that betrays it", {
  timeout: 3 * MINUTES,
}, async () => {
  const { run, approval } = await asked();
  await forger.rewrite(run, (records) => records.map(withOtherRequest));
  const anchors = anchorsOf(run);
  for (const words of [
    ["approve", approval, "--choose", "keep"],
    ["resume", run],
  ]) {
    const refused = await person.signalbox(...words);
    expect([refused.code, refused.out]).toEqual([65, expect.stringContaining("JOURNAL_DAMAGED")]);
  }
  // Past the commands: whoever writes the tables can also post an answer and want a drive.
  const host = await openTeam({ url, world: realWorld() });
  try {
    const before = await host.journal.load(run);
    await host.inbox.post(run, { kind: "resume", by: "eve" });
    await expect(host.drive(run)).rejects.toMatchObject({ code: "JOURNAL_DAMAGED" });
    expect(await host.journal.load(run)).toEqual(before);
  } finally {
    await host.close();
  }
  expect(anchorsOf(run)).toBe(anchors);
  const verified = JSON.parse((await person.signalbox("evidence", run, "--verify")).out);
  expect(verified).toMatchObject({ agrees: false, differences: [{ where: "anchor" }] });
});

async function asked(): Promise<{ readonly run: string; readonly approval: string }> {
  const started = await person.signalbox("run", "small", "make it", "--input", "finish=ask", "--agents", script);
  expect(started.code, started.out + started.err).toBe(3);
  const events = started.out.split("\n").filter((line) => line.includes('"approval.requested"'));
  const { run, approval } = JSON.parse(events[0] ?? "{}");
  await anchored(run);
  return { run, approval };
}

/** The worker anchors what rests after it has told of it. */
async function anchored(run: string): Promise<void> {
  await expect.poll(() => worker.lines.filter((line) => isLeft(line, run)).length, { timeout: MINUTES }).not.toBe(0);
}

const isLeft = (line: string, run: string): boolean => line.includes('"run.left"') && line.includes(run);

const anchorsOf = (run: string): string => person.git("ls-remote", "origin", `refs/signalbox/${run}/chain`);

const withOtherRequest = (record: JournalRecord): JournalRecord =>
  record.type === "run.started" ? { ...record, input: { request: "make something else", finish: "ask" } } : record;
