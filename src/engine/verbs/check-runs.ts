import { judgesText } from "../../core/checks/detect/text-judge.ts";
import { type CheckRun, needsRerun } from "../../core/checks/outcome/outcome.ts";
import { type TestResults, testsSeen } from "../../core/checks/outcome/tests-seen.ts";
import type { TestNames } from "../../core/checks/reports/test-report.ts";
import type { CheckedCommand, Command } from "../../core/journal/effect.ts";
import type { RecordedRun } from "../../core/journal/record.ts";
import type { StepPlace } from "../replay/step.ts";
import { forever, type Run } from "../run.ts";

/** One run of a command on a tree, as the run remembers it: the names of its tests are kept elsewhere. */
export type CommandRun = Omit<CheckedCommand, "tests"> & { readonly tests?: TestResults };
/** By the command's name. */
export type CommandRuns = ReadonlyMap<string, readonly CommandRun[]>;

export function runOf({ exitCode, notRun, tests }: CommandRun): CheckRun {
  return { exitCode, notRun, tests, failing: tests?.failing };
}

type TreeCommands = {
  readonly tree: string;
  readonly commands: readonly Command[];
  /** Tells the effects of one step apart. */
  readonly label: string;
  readonly again?: boolean;
};

/** Runs the commands there, once, or twice where they are doubted: what has run on that tree is not run again. */
export async function runsOn(run: Run, place: StepPlace, at: TreeCommands): Promise<CommandRuns> {
  const enough = at.again ? 2 : 1;
  const missing = distinct(at.commands).filter((command) => ownRuns(run, at.tree, command) < enough);
  if (missing.length > 0) {
    const results = await performed(run, place, { ...at, commands: withEarlier(distinct(at.commands), missing) });
    for (const result of results) {
      remember(run, at.tree, { result, turn: turnsBefore(run, memo(at.tree, lineIn(result))).length + enough });
    }
  }
  return new Map(at.commands.map((command) => [command.name, runsOf(run, at.tree, command)]));
}

async function performed(run: Run, place: StepPlace, at: TreeCommands): Promise<readonly CommandRun[]> {
  const { setup } = run.started;
  await run.recorder.durable();
  const results = await run.effect(place.past ? "resume" : "start", {
    id: `${run.id}/${place.key}@${at.label}`,
    run: run.id,
    kind: "check",
    request: {
      tree: at.tree,
      commands: at.commands.map((command) => askedAsBefore(run, command)),
      // A tree that somebody of this run has written leaves nothing behind for later checks.
      keep: at.tree === run.started.base.tree,
      ...(setup ? { setup: setupOf(setup) } : {}),
    },
  });
  if (run.over) return forever();
  const seen = await Promise.all(results.map((result) => slim(run, result)));
  return run.over ? forever() : seen;
}

type WantedAgain = {
  readonly tree: string;
  /** All that were asked for, in their order. */
  readonly commands: readonly Command[];
  readonly wanted: readonly Command[];
};

/** One more run than there were, beside them. */
export async function runsAgain(run: Run, place: StepPlace, at: WantedAgain): Promise<CommandRuns> {
  const { tree, commands, wanted } = at;
  const again = withEarlier(distinct(commands), wanted);
  const results = await performed(run, place, { tree, commands: again, label: "after-asked" });
  for (const result of results) remember(run, tree, { result, turn: runsSeen(run, tree, result) + 1 });
  return new Map(commands.map((command) => [command.name, runsOf(run, tree, command)]));
}

type BothTrees = {
  readonly baseline: string | undefined;
  readonly tree: string;
  readonly commands: readonly Command[];
};

/** A regression is believed only after both trees have run it once more. */
export async function runsOnBoth(
  run: Run,
  place: StepPlace,
  at: BothTrees,
): Promise<{ before: CommandRuns; after: CommandRuns }> {
  const { baseline, tree, commands } = at;
  if (baseline === undefined)
    return { before: new Map(), after: await runsOn(run, place, { tree, commands, label: "after" }) };
  const before = await runsOn(run, place, { tree: baseline, commands, label: "before" });
  const after = await runsOn(run, place, { tree, commands, label: "after" });
  const doubtful = commands.filter(({ name }) => isDoubtful(before.get(name), after.get(name)));
  if (doubtful.length === 0) return { before, after };
  const again = { commands: withEarlier(commands, doubtful), again: true };
  const then = await runsOn(run, place, { ...again, tree: baseline, label: "before-again" });
  const now = await runsOn(run, place, { ...again, tree, label: "after-again" });
  return { before: new Map([...before, ...then]), after: new Map([...after, ...now]) };
}

/** With those that come before them: one may build what the next one tests. */
function withEarlier(commands: readonly Command[], wanted: readonly Command[]): readonly Command[] {
  const last = commands.findLastIndex((command) => wanted.includes(command));
  return commands.slice(0, last + 1).filter((command) => wanted.includes(command) || !judgesText(command));
}

function isDoubtful(before: readonly CommandRun[] = [], after: readonly CommandRun[] = []): boolean {
  const [then, now] = [before[0], after[0]];
  return before.length + after.length < 4 && now !== undefined && needsRerun(then && runOf(then), runOf(now));
}

/** The names of all tests of a run, from where they are kept. */
export async function namesOf(run: Run, { tests }: CommandRun): Promise<TestNames | undefined> {
  const text = tests?.names === undefined ? undefined : await run.host.blobs.get(tests.names);
  // Only `slim` writes under these digests.
  return text === undefined ? undefined : (JSON.parse(text) as TestNames);
}

/** Names of all tests that ran on a tree, as far as they are known; undefined where no command names any. */
export async function knownTests(run: Run, tree: string): Promise<readonly string[] | undefined> {
  const seen = run.started.commands.flatMap((command) => runsOf(run, tree, command));
  const names = await Promise.all(seen.map((each) => namesOf(run, each)));
  const known = names.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : [...new Set(known.flatMap((each) => Object.keys(each)))];
}

async function slim(run: Run, { tests, ...result }: CheckedCommand): Promise<CommandRun> {
  if (!tests) return result;
  const names = tests.names && (await run.host.blobs.put(JSON.stringify(tests.names)));
  return { ...result, tests: { ...testsSeen(tests), ...(names === undefined ? {} : { names }) } };
}

export function setupOf(setup: { readonly run: string; readonly lockFile?: string | undefined }) {
  return { run: setup.run, ...(setup.lockFile === undefined ? {} : { lockFile: setup.lockFile }) };
}

/** A line that could not be asked on the tree that the run started from is not asked on any other. */
function askedAsBefore(run: Run, command: Command): Command {
  const [base] = run.state.checked.get(memo(run.started.base.tree, command)) ?? [];
  const unasked = base?.unasked || (base?.tests && !base.tests.asked);
  return unasked ? { ...command, asked: false } : command;
}

type Line = Pick<Command, "run" | "cwd">;
const lineOf = ({ run, cwd = "" }: Line): string => `${cwd} ${run}`;
const memo = (tree: string, line: Line): string => `${tree} ${lineOf(line)}`;
const lineIn = ({ command, cwd }: Pick<RecordedRun, "command" | "cwd">): Line => ({
  run: command,
  ...(cwd === undefined ? {} : { cwd }),
});

/** The same line under two names runs once. */
function distinct(commands: readonly Command[]): readonly Command[] {
  return [...new Map(commands.map((command) => [lineOf(command), command])).values()];
}

/** All that this run has seen of its commands, by tree; the last run of each. */
export function seenRuns(run: Run): readonly { readonly tree: string; readonly result: CommandRun }[] {
  return [...run.state.checked].flatMap(([key, runs]) => {
    const result = runs.at(-1);
    return result ? [{ tree: key.slice(0, key.indexOf(" ")), result }] : [];
  });
}

/** Under the name that it is asked for by now. */
export function runsOf(run: Run, tree: string, command: Command): readonly CommandRun[] {
  return turnsOf(run, memo(tree, command)).map((seen) => ({ ...seen, name: command.name }));
}

/** Those of the run that this one goes on from stand before its own: trying there and here is trying twice. */
const turnsOf = (run: Run, key: string): readonly CommandRun[] => run.state.checked.get(key) ?? turnsBefore(run, key);

const turnsBefore = ({ started }: Run, key: string): readonly CommandRun[] =>
  (started.from?.seen ?? []).filter((each) => memo(each.tree, lineIn(each)) === key).map(runIn);

const ownRuns = (run: Run, tree: string, command: Command): number =>
  turnsOf(run, memo(tree, command)).length - turnsBefore(run, memo(tree, command)).length;

export const isSeen = (run: Run, tree: string, command: Command): boolean => ownRuns(run, tree, command) > 0;

const runsSeen = (run: Run, tree: string, result: CommandRun): number =>
  turnsOf(run, memo(tree, lineIn(result))).length;

/** By its turn: branches may run the same thing side by side, and a replay meets the same run in several steps. */
function remember(run: Run, tree: string, seen: { readonly result: CommandRun; readonly turn: number }): void {
  const key = memo(tree, lineIn(seen.result));
  const runs = turnsOf(run, key);
  if (runs.length === seen.turn - 1) run.state.checked.set(key, [...runs, seen.result]);
}

/** What an earlier engine saw counts as seen. */
export function rememberRecord(run: Run, record: RecordedRun): void {
  remember(run, record.tree, { result: runIn(record), turn: record.turn });
}

/** The run of a command that a record tells of. */
export function runIn(record: RecordedRun): CommandRun {
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
