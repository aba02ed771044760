import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { CheckedCommand, Command, SetupCommand } from "../core/effect.ts";
import { becauseOf } from "../core/evidence/because.ts";
import { type CuredProject, cureOf } from "../core/evidence/cure.ts";
import { type CheckOutcome, judgeCheck } from "../core/evidence/outcome.ts";
import { type TestsSeen, testsSeen } from "../core/evidence/tests-seen.ts";
import { runOf } from "../engine/verbs/check-runs.ts";
import { handsFor, type Project } from "./app.ts";
import { projectIn } from "./detected.ts";
import type { Settings } from "./settings.ts";
import { heedSignals } from "./signals.ts";

/** One command, tried on a clean checkout of HEAD as a run would try it. */
export type TriedCheck = {
  readonly name: string;
  readonly run: string;
  readonly outcome: CheckOutcome;
  readonly because: string;
  readonly tests?: TestsSeen;
  readonly ms: number;
  /** What to do about one that could not run. */
  readonly cure: readonly string[];
};

export type Trial = {
  readonly commit: string;
  /** The checkout and its set-up; what is kept from earlier takes no time. */
  readonly preparedMs: number;
  readonly setup?: SetupCommand;
  readonly checks: readonly TriedCheck[];
  /** Of a signal that came meanwhile. */
  readonly exit?: number;
};

export type TrialOrder = Pick<Settings, "sandbox" | "patience"> & {
  readonly commands: readonly Command[];
  readonly setup: SetupCommand | undefined;
};

/** Where spools of checks that belong to no run lie while they run. */
const NO_RUN = "checks";

/** By the same hands that a run has; nothing is recorded. */
export async function trialOf(project: Project, { commands, setup, ...options }: TrialOrder): Promise<Trial> {
  const { workspace, performer, world } = await handsFor(project, { ...options, agents: () => undefined });
  const { commit, tree } = await workspace.head();
  const signals = heedSignals();
  const startedAt = world.now();
  try {
    const lines = commands.map(({ name, run }) => ({ name, run }));
    // The tree is the one that a person committed.
    const request = { tree, commands: lines, keep: true, ...(setup ? { setup } : {}) };
    const id = `${NO_RUN}/${world.newId()}@1`;
    const results = await performer.perform({ id, run: NO_RUN, kind: "check", request }, signals.stop);
    const spent = world.now() - startedAt;
    const about = await projectIn(workspace, tree);
    const exit = signals.exit();
    return {
      commit,
      preparedMs: Math.max(0, spent - results.reduce((sum, { ms }) => sum + ms, 0)),
      ...(setup ? { setup } : {}),
      checks: results.map((result) => triedBy(result, { setup, project: about })),
      ...(exit === undefined ? {} : { exit }),
    };
  } finally {
    signals.close();
    await performer.settled();
    await rm(join(project.places.runs, NO_RUN), { recursive: true, force: true });
  }
}

type Around = { readonly setup: SetupCommand | undefined; readonly project: CuredProject };

function triedBy({ tests, ...result }: CheckedCommand, around: Around): TriedCheck {
  const seen = { ...result, ...(tests ? { tests: testsSeen(tests) } : {}) };
  const { outcome, findings } = judgeCheck({ name: result.name, before: [], after: [runOf(seen)] });
  const { name, command: run, ms, snippet } = result;
  const words = `${findings.map(({ message }) => message).join("\n")}\n${snippet}`;
  return {
    name,
    run,
    ms,
    outcome,
    because: becauseOf({ ...seen, outcome, phase: "baseline", passed: outcome === "passed" }),
    ...(seen.tests ? { tests: seen.tests } : {}),
    cure: outcome === "not-run" ? cureOf({ command: { name, run }, words, ...around }) : [],
  };
}

export function isUnfit({ outcome }: TriedCheck): boolean {
  return outcome === "not-run";
}
