import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { listCarriers } from "../../src/processes/tag/process-tag.ts";
import { lastEvent } from "../cli/scene.ts";
import { type ModelServer, modelServer } from "../model/server.ts";
import type { RealWorld } from "../worlds/world.ts";
import { installAgent } from "./install.ts";
import { PROGRAMS, type ProgramName } from "./programs.ts";
import { type ProgramsByRole, type TeamRun, teamRun } from "./team-run.ts";

// Takes a minute on an idle machine, and many on a busy one.
const RUN_MS = 600_000;

type ExpectedOutcome = {
  /** Names of the tests that pass in the committed work. */
  readonly tests: readonly string[];
  /** Roles that had to repeat their answer, in the order of the run. */
  readonly mended?: readonly string[];
};

/** Runs the cases of one whole run. */
export async function teamRunSuite(
  world: RealWorld,
  cast: ProgramsByRole,
  { tests, mended = [] }: ExpectedOutcome,
): Promise<void> {
  const programs = [...new Set(Object.values(cast))].sort();
  const title = `a whole ${world.pipeline} run by the real ${programs.join(", ")}`;
  const installed = await Promise.all(programs.map((name) => installAgent(PROGRAMS[name].package)));
  const missing = installed.flatMap((each) => ("missing" in each ? [each.missing] : []));
  if (missing.length > 0) {
    describe.skip(`${title} (${missing.join(" ")})`, () => it("ends in its commit", () => expect.unreachable()));
    return;
  }
  const folders = installed.flatMap((each) => ("bin" in each ? [dirname(each.bin)] : []));
  describe(title, () => {
    let model: ModelServer;
    let run: TeamRun;
    beforeAll(async () => {
      model = await modelServer();
      run = await teamRun(world, cast, { model, folders });
      console.log(formatFigures(run, { title, cast, model }));
    }, RUN_MS);
    afterAll(() => model.close());

    it("ends in its commits", () => {
      const { ended, scene } = run;
      expect(ended.exit, ended.out.slice(-4_000) + ended.err).toBe(world.ends.exit);
      expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: world.ends.status });
      const ahead = scene.git("rev-list", "--count", "--branches", "--not", "main").trim();
      expect(ahead).toBe(String(world.ends.commits));
      expect(world.keeps.map((path) => scene.git("cat-file", "-t", `${readCommit(run)}:${path}`).trim())).toEqual(
        world.keeps.map(() => "blob"),
      );
    });

    it("commits work that passes its tests in a fresh clone", () => {
      const { exit, passed } = runCommittedTests(run);
      expect(exit).toBe(0);
      expect(passed).toEqual(expect.arrayContaining([...tests]));
    });

    it("asks each program for its assigned roles only", () => {
      for (const program of programs) {
        const prompts = model.requests(program).map(({ prompts: said }) => said.join("\n"));
        const asked = selectStarts(run.records).filter(({ nonce }) => prompts.some((prompt) => prompt.includes(nonce)));
        const due = selectStarts(run.records).filter(({ role }) => findProgram(cast, role) === program);
        expect(asked.map(({ effect }) => effect)).toEqual(due.map(({ effect }) => effect));
        expect(asked.length).toBeGreaterThan(0);
      }
    });

    it("names the agent of each role in its journal", () => {
      const ends = run.records.filter((each) => each.type === "agent.finished");
      const due = ends.map(({ role }) => findProgram(cast, role));
      expect(ends.map(({ by }) => by)).toEqual(due.map((name) => name && `${name}:${PROGRAMS[name].model}`));
    });

    it("needs no second attempt, and another answer only where one was broken on purpose", () => {
      const ends = run.records.filter((each) => each.type === "agent.finished");
      expect(ends.filter(({ outcome }) => outcome !== "done")).toEqual([]);
      expect(ends.flatMap(({ role, repairs }) => (repairs ? [`${role} ${repairs}`] : []))).toEqual(
        mended.map((role) => `${role} 1`),
      );
    });

    it("leaves no process behind, and no files except the stored ones", () => {
      expect(selectStarts(run.records).flatMap(({ effect }) => listCarriers(effect))).toEqual([]);
      const cache = join(dirname(run.scene.repo), "cache", "signalbox");
      // The empty file keeps tools in the folder from finding a repository above it.
      const left = ["homes", "attempts"].flatMap((name) => readdirSync(join(cache, name)));
      expect(left.filter((name) => name !== ".git")).toEqual([]);
    });

    it("has a journal that reproduces its evidence", async () => {
      const verified = await run.scene.signalbox("evidence", "--verify", "--check", "--json");
      expect(verified.exit, verified.out).toBe(0);
    });
  });
}

function selectStarts(records: readonly JournalRecord[]): readonly JournalRecord<"agent.started">[] {
  return records.filter((each) => each.type === "agent.started");
}

function findProgram(cast: ProgramsByRole, role: string): ProgramName | undefined {
  return cast[role] ?? cast["*"];
}

function readCommit({ ended }: TeamRun): string {
  return String(lastEvent(ended)["commit"]);
}

/** Clones the commit and runs its tests. */
function runCommittedTests(run: TeamRun): { readonly exit: number | null; readonly passed: readonly string[] } {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-clone-"));
  try {
    execFileSync("git", ["clone", "-q", run.scene.repo, dir]);
    execFileSync("git", ["-C", dir, "checkout", "-q", readCommit(run)]);
    // Inside another test runner, Node's own prints no readable report.
    const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...env } = process.env;
    const argv = ["--test", "--test-reporter=tap"];
    const { status, stdout } = spawnSync(process.execPath, argv, { cwd: dir, env, encoding: "utf8" });
    return { exit: status, passed: [...stdout.matchAll(/^ *ok \d+ - (.*)$/gm)].map(([, name = ""]) => name) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

type FigureInput = { readonly title: string; readonly cast: ProgramsByRole; readonly model: ModelServer };

/** Prints one line with the run's figures. */
function formatFigures({ records, ms }: TeamRun, { title, cast, model }: FigureInput): string {
  const ends = records.filter((each) => each.type === "agent.finished");
  const programs = [...new Set(Object.values(cast))].sort().map((name) => {
    const took = ends.filter(({ role }) => findProgram(cast, role) === name).map((each) => each.ms ?? 0);
    const middle = took.sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0;
    const requests = model.requests(name).length;
    return `${name} ${took.length} dispatches, ${requests} requests, median ${(middle / 1000).toFixed(1)} s`;
  });
  return `${title}: ${(ms / 1000).toFixed(1)} s; ${programs.join("; ")}`;
}
