import { isTextCheck } from "../../core/checks/detect/text-check.ts";
import { type CheckRun, needsRerun } from "../../core/checks/outcome/outcome.ts";
import { type TestResults, toTestResults } from "../../core/checks/outcome/test-results.ts";
import type { TestNames } from "../../core/checks/reports/test-report.ts";
import type { CheckedCommand, Command } from "../../core/journal/effect.ts";
import type { RecordedRun } from "../../core/journal/record.ts";
import type { StepPlace } from "../replay/step.ts";
import { createNever, type Run } from "../run.ts";

/** One run of a command on a tree, as stored by the run. The names of its tests are stored separately. */
export type CommandRun = Omit<CheckedCommand, "tests"> & { readonly tests?: TestResults };
/** Runs by the name of the command. */
export type CommandRuns = ReadonlyMap<string, readonly CommandRun[]>;

export function toCheckRun({ exitCode, notRun, tests }: CommandRun): CheckRun {
  return { exitCode, notRun, tests, failing: tests?.failing };
}

type TreeCommands = {
  readonly tree: string;
  readonly commands: readonly Command[];
  /** Distinguishes the effects of one step. */
  readonly label: string;
  readonly again?: boolean;
};

/** Runs the commands on a tree once, or twice if a result is in doubt. Results that this run already has are reused. */
export async function runOnTree(run: Run, place: StepPlace, at: TreeCommands): Promise<CommandRuns> {
  const enough = at.again ? 2 : 1;
  const missing = deduplicateCommands(at.commands).filter((command) => countOwnRuns(run, at.tree, command) < enough);
  if (missing.length > 0) {
    const results = await performCheck(run, place, {
      ...at,
      commands: includeEarlier(deduplicateCommands(at.commands), missing),
    });
    for (const result of results) {
      storeRun(run, at.tree, {
        result,
        turn: listInheritedTurns(run, formatMemoKey(at.tree, toCommandLine(result))).length + enough,
      });
    }
  }
  return new Map(at.commands.map((command) => [command.name, getRuns(run, at.tree, command)]));
}

async function performCheck(run: Run, place: StepPlace, at: TreeCommands): Promise<readonly CommandRun[]> {
  const { setup } = run.started;
  await run.recorder.durable();
  const results = await run.effect(place.past ? "resume" : "start", {
    id: `${run.id}/${place.key}@${at.label}`,
    run: run.id,
    kind: "check",
    request: {
      tree: at.tree,
      commands: at.commands.map((command) => adaptReportRequest(run, command)),
      // A tree that an agent of this run wrote must leave nothing behind for later checks.
      keep: at.tree === run.started.base.tree,
      ...(setup ? { setup: pickSetupCommand(setup) } : {}),
    },
  });
  if (run.over) return createNever();
  const seen = await Promise.all(results.map((result) => storeTestNames(run, result)));
  return run.over ? createNever() : seen;
}

type RepeatedCommands = {
  readonly tree: string;
  /** All requested commands, in their order. */
  readonly commands: readonly Command[];
  readonly wanted: readonly Command[];
};

/** Runs these commands once more and adds the results to the earlier ones. */
export async function repeatRuns(run: Run, place: StepPlace, at: RepeatedCommands): Promise<CommandRuns> {
  const { tree, commands, wanted } = at;
  const again = includeEarlier(deduplicateCommands(commands), wanted);
  const results = await performCheck(run, place, { tree, commands: again, label: "after-asked" });
  for (const result of results) storeRun(run, tree, { result, turn: countTurns(run, tree, result) + 1 });
  return new Map(commands.map((command) => [command.name, getRuns(run, tree, command)]));
}

type BothTrees = {
  readonly baseline: string | undefined;
  readonly tree: string;
  readonly commands: readonly Command[];
};

/** Runs the commands on both trees. A regression is believed only after both trees have run it once more. */
export async function runOnBothTrees(
  run: Run,
  place: StepPlace,
  at: BothTrees,
): Promise<{ before: CommandRuns; after: CommandRuns }> {
  const { baseline, tree, commands } = at;
  if (baseline === undefined)
    return { before: new Map(), after: await runOnTree(run, place, { tree, commands, label: "after" }) };
  const before = await runOnTree(run, place, { tree: baseline, commands, label: "before" });
  const after = await runOnTree(run, place, { tree, commands, label: "after" });
  const doubtful = commands.filter(({ name }) => isDoubtful(before.get(name), after.get(name)));
  if (doubtful.length === 0) return { before, after };
  const again = { commands: includeEarlier(commands, doubtful), again: true };
  const then = await runOnTree(run, place, { ...again, tree: baseline, label: "before-again" });
  const now = await runOnTree(run, place, { ...again, tree, label: "after-again" });
  return { before: new Map([...before, ...then]), after: new Map([...after, ...now]) };
}

/** Includes the commands that come before: one may build what the next one tests. */
function includeEarlier(commands: readonly Command[], wanted: readonly Command[]): readonly Command[] {
  const last = commands.findLastIndex((command) => wanted.includes(command));
  return commands.slice(0, last + 1).filter((command) => wanted.includes(command) || !isTextCheck(command));
}

function isDoubtful(before: readonly CommandRun[] = [], after: readonly CommandRun[] = []): boolean {
  const [then, now] = [before[0], after[0]];
  return before.length + after.length < 4 && now !== undefined && needsRerun(then && toCheckRun(then), toCheckRun(now));
}

/** Loads the names of all tests of a run from the blob store. */
export async function loadTestNames(run: Run, { tests }: CommandRun): Promise<TestNames | undefined> {
  const text = tests?.names === undefined ? undefined : await run.host.blobs.get(tests.names);
  // `storeTestNames` alone writes under these digests.
  return text === undefined ? undefined : (JSON.parse(text) as TestNames);
}

/** Lists the names of all tests that ran on a tree, as far as known; undefined if no command reports names. */
export async function listKnownTests(run: Run, tree: string): Promise<readonly string[] | undefined> {
  const seen = run.started.commands.flatMap((command) => getRuns(run, tree, command));
  const names = await Promise.all(seen.map((each) => loadTestNames(run, each)));
  const known = names.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : [...new Set(known.flatMap((each) => Object.keys(each)))];
}

async function storeTestNames(run: Run, { tests, ...result }: CheckedCommand): Promise<CommandRun> {
  if (!tests) return result;
  const names = tests.names && (await run.host.blobs.put(JSON.stringify(tests.names)));
  return { ...result, tests: { ...toTestResults(tests), ...(names === undefined ? {} : { names }) } };
}

export function pickSetupCommand(setup: { readonly run: string; readonly lockFile?: string | undefined }) {
  return { run: setup.run, ...(setup.lockFile === undefined ? {} : { lockFile: setup.lockFile }) };
}

/** Does not request reports for a command that could not be run with them on the base tree. */
function adaptReportRequest(run: Run, command: Command): Command {
  const [base] = run.state.checked.get(formatMemoKey(run.started.base.tree, command)) ?? [];
  const unasked = base?.unasked || (base?.tests && !base.tests.asked);
  return unasked ? { ...command, asked: false } : command;
}

type CommandLine = Pick<Command, "run" | "cwd">;
const formatCommandLine = ({ run, cwd = "" }: CommandLine): string => `${cwd} ${run}`;
const formatMemoKey = (tree: string, line: CommandLine): string => `${tree} ${formatCommandLine(line)}`;
const toCommandLine = ({ command, cwd }: Pick<RecordedRun, "command" | "cwd">): CommandLine => ({
  run: command,
  ...(cwd === undefined ? {} : { cwd }),
});

/** Drops duplicates: the same line under two names runs once. */
function deduplicateCommands(commands: readonly Command[]): readonly Command[] {
  return [...new Map(commands.map((command) => [formatCommandLine(command), command])).values()];
}

/** Lists the last run of each command on each tree that this run has checked. */
export function listLastRuns(run: Run): readonly { readonly tree: string; readonly result: CommandRun }[] {
  return [...run.state.checked].flatMap(([key, runs]) => {
    const result = runs.at(-1);
    return result ? [{ tree: key.slice(0, key.indexOf(" ")), result }] : [];
  });
}

/** Returns the runs of a command, under its current name. */
export function getRuns(run: Run, tree: string, command: Command): readonly CommandRun[] {
  return getTurns(run, formatMemoKey(tree, command)).map((seen) => ({ ...seen, name: command.name }));
}

/** Runs of the run that this one was forked from come before its own; both count as tries. */
const getTurns = (run: Run, key: string): readonly CommandRun[] =>
  run.state.checked.get(key) ?? listInheritedTurns(run, key);

const listInheritedTurns = ({ started }: Run, key: string): readonly CommandRun[] =>
  (started.from?.seen ?? []).filter((each) => formatMemoKey(each.tree, toCommandLine(each)) === key).map(toCommandRun);

const countOwnRuns = (run: Run, tree: string, command: Command): number =>
  getTurns(run, formatMemoKey(tree, command)).length - listInheritedTurns(run, formatMemoKey(tree, command)).length;

export const hasRun = (run: Run, tree: string, command: Command): boolean => countOwnRuns(run, tree, command) > 0;

const countTurns = (run: Run, tree: string, result: CommandRun): number =>
  getTurns(run, formatMemoKey(tree, toCommandLine(result))).length;

/**
 * Stores a run by its turn: parallel branches may run the same command, and a replay meets the same run in several
 * steps.
 */
function storeRun(run: Run, tree: string, seen: { readonly result: CommandRun; readonly turn: number }): void {
  const key = formatMemoKey(tree, toCommandLine(seen.result));
  const runs = getTurns(run, key);
  if (runs.length === seen.turn - 1) run.state.checked.set(key, [...runs, seen.result]);
}

/** Stores the run of a record: results of an earlier engine count. */
export function storeRecordedRun(run: Run, record: RecordedRun): void {
  storeRun(run, record.tree, { result: toCommandRun(record), turn: record.turn });
}

/** Converts a record into the run of its command. */
export function toCommandRun(record: RecordedRun): CommandRun {
  const { check: name, command, cwd, exitCode, ms, digest, snippet, excerpt, output, tests, notRun, unasked } = record;
  return {
    name,
    command,
    exitCode,
    ms,
    digest,
    snippet,
    ...(cwd === undefined ? {} : { cwd }),
    ...(excerpt === undefined ? {} : { excerpt }),
    ...(output === undefined ? {} : { output }),
    ...(notRun === undefined ? {} : { notRun }),
    ...(unasked ? { unasked } : {}),
    ...(tests ? { tests } : {}),
  };
}
