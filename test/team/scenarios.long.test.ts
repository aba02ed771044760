import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { createRealWorld } from "../../src/cli/real-world.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { toNormalForm } from "../../src/core/text/normal-form.ts";
import { openTeam, type TeamHost } from "../../src/hosts/dbos/open-team.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { world as clusters } from "../worlds/clusters.ts";
import { world as ledger } from "../worlds/ledger.ts";
import { world as phases } from "../worlds/phases.ts";
import { world as roadmap } from "../worlds/roadmap.ts";
import { world as task } from "../worlds/task.ts";
import { world as ticket } from "../worlds/ticket.ts";
import type { RealWorld } from "../worlds/world.ts";
import { answerAll } from "./person.ts";
import { type Machine, type TeamScene, teamScene } from "./scene.ts";

const MINUTES = 60_000;
const WORKERS = ["worker-1", "worker-2", "worker-3"];

let server: TestPostgres;
let url: string;
let host: TeamHost;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("scenarios");
  host = await openTeam({ url, world: createRealWorld() });
}, 2 * MINUTES);
afterAll(async () => {
  await host.close();
  await server.stop();
});

describe.each([task, ledger, roadmap, phases, clusters, ticket])(
  "the pipeline $pipeline on three workers, each with its own clone, state and cache",
  (world) => {
    let scene: TeamScene;
    let person: Machine;
    let script: string;
    let together: readonly JournalRecord[];
    beforeAll(async () => {
      scene = teamScene({ url, files: world.files, config: world.config });
      script = join(scene.dir, "agents.yaml");
      writeFileSync(script, stringify({ agents: world.agents }, { lineWidth: 0 }));
      await Promise.all(WORKERS.map((name) => scene.machine(name).worker("--concurrency", "2").ready));
      person = scene.machine("person");
    }, 2 * MINUTES);
    afterAll(() => scene.remove());

    test("ends as its scenario specifies", { timeout: 6 * MINUTES }, async () => {
      const started = await person.signalbox("run", world.pipeline, ...world.args, "--agents", script, "--detach");
      expect(started.code, started.err + started.out).toBe(0);
      const { run } = JSON.parse(started.out.trim().split("\n").at(-1) ?? "{}");
      together = await answerAll(host, run);
      expect(together.at(-1)).toMatchObject({ type: "run.finished", status: world.ends.status, exit: world.ends.exit });
      expect(countCommits(together)).toBe(world.ends.commits);
    });

    test("writes the same normalized journal as on one machine", { timeout: 6 * MINUTES }, async () => {
      const alone = await onOneMachine(person, world, script);
      expect(normalizeRecords(together)).toEqual(normalizeRecords(alone));
    });
  },
);

/** Runs the same program on one machine's own store and answers it with commands. */
async function onOneMachine(machine: Machine, { pipeline, args }: RealWorld, script: string) {
  const call = (...words: string[]) => machine.signalbox("--postgres", "off", ...words);
  let ended = await call("run", pipeline, ...args, "--agents", script);
  while (ended.code === 3) {
    const { approvals } = JSON.parse((await call("inbox")).out);
    for (const { approval, choices } of approvals) await call("approve", approval, "--choose", choices[0]);
    ended = await call("resume");
  }
  const told = await call("events");
  return told.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as JournalRecord);
}

/** Normalizes records: removes times, random names, reported test durations, and the hashes of these. */
function normalizeRecords(records: readonly JournalRecord[]): readonly string[] {
  const told = records.filter(isTimeless).map(({ rows: _rows, ...record }) => record as JournalRecord);
  return toNormalForm(told).map((line) => TIMES.reduce((text, time) => text.replaceAll(time, "…"), line));
}

/** The remaining time is noted whenever it changes by a minute, which also shifts later step numbers. */
function isTimeless(record: JournalRecord): boolean {
  return !("key" in record && /(?:^|\/)note(?:#\d+)?$/.test(record.key));
}

const TIMES = [
  /"n":\d+/g,
  /\(\d+(?:\.\d+)?ms\)/g,
  /duration_ms \d+(?:\.\d+)?/g,
  /\b\d{13}\b/g,
  /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
  /\b[0-9a-f]{64}\b/g,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
  // An answer names the person's role in a team, and the account on one machine.
  /"by":"[^"]*"(?=,"choice")/g,
  // The folder of a check's output, with the fence under which it began.
  /RUN-[0-9a-f]{16}\/\d+\.\d+/g,
];

/** Counts the steps that commit; a repeated step counts once. */
function countCommits(records: readonly JournalRecord[]): number {
  const steps = new Set(
    records.flatMap((each) => (each.type === "step.started" && each.verb === "commit" ? [each.key] : [])),
  );
  const made = records.flatMap((each) =>
    each.type === "step.finished" && steps.has(each.key) ? [readCommitId(each.value)] : [],
  );
  return new Set(made).size;
}

const readCommitId = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "commit" in value ? value.commit : undefined;
