import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { CheckedCommand, Command, SetupCommand } from "../core/effect.ts";
import { becauseOf } from "../core/evidence/because.ts";
import { cureOf } from "../core/evidence/cure.ts";
import { type CheckOutcome, judgeCheck } from "../core/evidence/outcome.ts";
import { type TestsSeen, testsSeen } from "../core/evidence/tests-seen.ts";
import { runOf } from "../engine/verbs/check-runs.ts";
import { handsFor, type Project } from "./app.ts";
import { type CureContext, cureContext, printedPlaces } from "./cures.ts";
import { setUpProgress } from "./set-up-progress.ts";
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
  /** Folders with all that those printed which could not run. */
  readonly printed: readonly string[];
  /** Of a signal that came meanwhile. */
  readonly exit?: number;
};

export type TrialOrder = Pick<Settings, "sandbox" | "patience"> & {
  readonly commands: readonly Command[];
  readonly setup: SetupCommand | undefined;
  /** Told while it runs. */
  say?(line: string): void;
};

/** Where spools of checks that belong to no run lie while they run. */
const NO_RUN = "checks";

/** By the same hands that a run has; nothing is recorded. */
export async function trialOf(project: Project, { commands, setup, say, ...options }: TrialOrder): Promise<Trial> {
  const { workspace, performer, world } = await handsFor(project, { ...options, agents: () => undefined });
  const { commit, tree } = await workspace.head();
  await clear(project);
  let kept = false;
  const signals = heedSignals();
  const spools = join(project.places.runs, NO_RUN, "spool");
  const progress = say && setUpProgress({ spools, redact: world.redact, say });
  const startedAt = world.now();
  try {
    const lines = commands.map(({ name, run }) => ({ name, run }));
    // The tree is the one that a person committed.
    const request = { tree, commands: lines, keep: true, ...(setup ? { setup } : {}) };
    const id = `${NO_RUN}/${world.newId()}@1`;
    const results = await performer.perform({ id, run: NO_RUN, kind: "check", request }, signals.stop);
    progress?.close();
    const spent = world.now() - startedAt;
    const words = results.map(({ notRun = "" }) => notRun);
    const around = { setup, ...(await cureContext(workspace, { tree, words })) };
    const checks = results.map((result) => triedBy(result, around));
    const unfit = checks.filter(isUnfit);
    const unprepared = words.some((said) => said.startsWith("the set-up failed"));
    kept = unfit.length > 0;
    const names = unprepared ? ["set-up"] : unfit.map(({ name }) => name);
    const printed = await printedPlaces({ places: project.places, run: NO_RUN, world, commands: names });
    const exit = signals.exit();
    return {
      commit,
      preparedMs: Math.max(0, spent - results.reduce((sum, { ms }) => sum + ms, 0)),
      ...(setup ? { setup } : {}),
      checks,
      printed,
      ...(exit === undefined ? {} : { exit }),
    };
  } finally {
    progress?.close();
    signals.close();
    await performer.settled();
    // What could not run is to be read afterwards; the next trial takes it away.
    if (!kept) await clear(project);
  }
}

function clear({ places }: Project): Promise<void> {
  return rm(join(places.runs, NO_RUN), { recursive: true, force: true });
}

type Around = CureContext & { readonly setup: SetupCommand | undefined };

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
