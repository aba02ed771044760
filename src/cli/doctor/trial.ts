import { rm } from "node:fs/promises";
import { join } from "node:path";
import { proposeFix } from "../../core/checks/cure/cure.ts";
import { explainCheck } from "../../core/checks/outcome/explain-check.ts";
import { type CheckOutcome, judgeCheck } from "../../core/checks/outcome/outcome.ts";
import { type TestResults, toTestResults } from "../../core/checks/outcome/test-results.ts";
import type { CheckedCommand, Command, SetupCommand } from "../../core/journal/effect.ts";
import { toCheckRun } from "../../engine/verbs/check-runs.ts";
import { createExecutionParts } from "../app.ts";
import { listVariableNames } from "../project/environment.ts";
import type { Project } from "../project/project.ts";
import type { Settings } from "../project/settings.ts";
import { createRealWorld } from "../real-world.ts";
import { formatProgress, listCheckCommands, watchProgress } from "../start/check-progress.ts";
import { handleSignals } from "../start/signals.ts";
import { createOwnName, listAbandoned } from "./abandoned-folders.ts";
import { type FixContext, findOutputFolders, readFixContext } from "./fixes.ts";

/** Result of one command, executed on a clean checkout of HEAD as a run would execute it. */
export type TriedCheck = {
  readonly name: string;
  readonly run: string;
  readonly outcome: CheckOutcome;
  readonly because: string;
  readonly tests?: TestResults;
  readonly ms: number;
  /** Fix for a command that could not run. */
  readonly cure: readonly string[];
};

export type Trial = {
  readonly commit: string;
  /** Time for the checkout and its setup; zero if reused from an earlier trial. */
  readonly preparedMs: number;
  readonly setup?: SetupCommand;
  readonly checks: readonly TriedCheck[];
  /** Folders with the full output of commands that could not run. */
  readonly printed: readonly string[];
  /** Exit code of a signal received meanwhile. */
  readonly exit?: number;
};

export type TrialRequest = Pick<Settings, "sandbox" | "patience" | "environment"> & {
  readonly commands: readonly Command[];
  readonly setup: SetupCommand | undefined;
  /** Called with progress while the trial runs. */
  say?(line: string): void;
};

/** Placeholder for a run id; no run has this name. */
const NO_RUN = "checks";

/** Runs setup and checks with the executor that runs use. Nothing is recorded. */
export async function runTrial(project: Project, { commands, setup, say, ...options }: TrialRequest): Promise<Trial> {
  const spools = await prepareOwnFolder(project);
  const { workspace, performer, world } = await createExecutionParts(project, {
    ...options,
    agents: () => undefined,
    spools,
  });
  const { commit, tree } = await workspace.head();
  let kept = false;
  const signals = handleSignals();
  const progress =
    say &&
    watchProgress({
      spools,
      known: listCheckCommands(world, { setup, commands }),
      redact: world.redact,
      say: (seen) => say(formatProgress(seen)),
    });
  const startedAt = world.now();
  try {
    const lines = commands.map(({ name, run }) => ({ name, run }));
    // The tree is HEAD's, which a person committed.
    const request = { tree, commands: lines, keep: true, ...(setup ? { setup } : {}) };
    const id = `${NO_RUN}/${world.newId()}@1`;
    const results = await performer.perform({ id, run: NO_RUN, kind: "check", request }, signals.stop);
    progress?.close();
    const spent = world.now() - startedAt;
    const words = results.map(({ notRun = "" }) => notRun);
    const given = listVariableNames(options.environment.setup);
    const around = { setup, given, ...(await readFixContext(workspace, { tree, words })) };
    const checks = results.map((result) => toTriedCheck(result, around));
    const unfit = checks.filter(isUnfit);
    const unprepared = words.some((said) => said.startsWith("the set-up failed"));
    kept = unfit.length > 0;
    const names = unprepared ? ["set-up"] : unfit.map(({ name }) => name);
    const printed = await findOutputFolders({ top: project.places.top, spools, world, commands: names });
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
    // Output of commands that could not run stays until the next trial.
    if (!kept) await rm(spools, { recursive: true, force: true });
  }
}

/** Removes what earlier trials left. Output of a trial that is still running stays. */
async function prepareOwnFolder({ places: { trials } }: Project): Promise<string> {
  for (const name of await listAbandoned(trials)) await rm(join(trials, name), { recursive: true, force: true });
  return join(trials, createOwnName(createRealWorld()));
}

type TrialContext = FixContext & { readonly setup: SetupCommand | undefined; readonly given: readonly string[] };

function toTriedCheck({ tests, ...result }: CheckedCommand, context: TrialContext): TriedCheck {
  const seen = { ...result, ...(tests ? { tests: toTestResults(tests) } : {}) };
  const { outcome, findings } = judgeCheck({ name: result.name, before: [], after: [toCheckRun(seen)] });
  const { name, command: run, ms, snippet } = result;
  const words = `${findings.map(({ message }) => message).join("\n")}\n${snippet}`;
  return {
    name,
    run,
    ms,
    outcome,
    because: explainCheck({ ...seen, outcome, phase: "baseline", passed: outcome === "passed" }),
    ...(seen.tests ? { tests: seen.tests } : {}),
    cure: outcome === "not-run" ? proposeFix({ command: { name, run }, words, ...context }) : [],
  };
}

export function isUnfit({ outcome }: TriedCheck): boolean {
  return outcome === "not-run";
}
