import { formatPassingTests } from "../../../core/checks/outcome/explain-check.ts";
import { explainUnusableRun, judgeCheck } from "../../../core/checks/outcome/outcome.ts";
import type { AttemptRequest, CheckLog, CheckResultFacts, Command, KnownCheck } from "../../../core/journal/effect.ts";
import type { Run } from "../../run.ts";
import { type CommandRun, getRuns, listLastRuns, pickSetupCommand, toCheckRun } from "../check-runs.ts";
import { listNotes } from "./answer-notes.ts";
import { type DispatchedWork, listDroppedBefore, toDroppedFinding } from "./dropped-files.ts";
import { listOpenRefusals } from "./refusals.ts";
import { hasSameWork } from "./same-work.ts";

type AttemptFacts = Pick<
  AttemptRequest,
  "base" | "unchanged" | "checks" | "setup" | "logs" | "dropped" | "refused" | "refusals" | "notes"
>;
type FactOrder = DispatchedWork & { readonly input: unknown; readonly base: string | undefined };

/**
 * Collects what an agent needs to know of the project and of earlier work, from the records of this run, so that it is
 * the same after a crash. It is not part of the input of the step, so later versions may add to it.
 * @rule A-34 (policy) A dispatch names the configured checks with their lines and results. A later dispatch also has
 *   the findings with failing tests and output, what was delivered before and what was dropped.
 */
export function collectAttemptFacts(run: Run, order: FactOrder): AttemptFacts {
  const { started } = run;
  // Left out if the input has it among its findings.
  const said = JSON.stringify(order.input) ?? "";
  const dropped = listDroppedBefore(run, order).filter((each) => !said.includes(toDroppedFinding(each).message));
  const logs = selectLogs(run, order);
  const refusals = listOpenRefusals(run);
  const notes = listNotes(run);
  const base = order.base ?? findCommittedTree(run) ?? started.base.tree;
  return {
    base,
    ...(hasSameWork(run, order.tree, base) ? { unchanged: true as const } : {}),
    // A run without a preflight may have commands or not: without any, nothing is known.
    ...(started.preflight || started.commands.length > 0 ? { checks: listKnownChecks(run, order.tree) } : {}),
    ...(started.setup ? { setup: { ...pickSetupCommand(started.setup), from: started.base.tree } } : {}),
    ...(logs.length > 0 ? { logs } : {}),
    ...(dropped.length > 0 ? { dropped } : {}),
    ...(started.from?.refused ? { refused: started.from.refused } : {}),
    ...(refusals.length > 0 ? { refusals } : {}),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

/** The newest committed tree; the change under work is compared with it. */
function findCommittedTree({ state }: Run): string | undefined {
  const [, newest] = state.commits.entries().at(-1) ?? [];
  return newest === undefined ? undefined : state.committed.get(newest);
}

function listKnownChecks(run: Run, tree: string): readonly KnownCheck[] {
  const base = run.started.base.tree;
  return run.started.commands.map((command) => {
    const before = getSeenCheck(run, command, { tree: base });
    const now = tree === base ? undefined : getSeenCheck(run, command, { tree, base });
    return { name: command.name, run: command.run, ...(before ? { before } : {}), ...(now ? { now } : {}) };
  });
}

type ComparedTrees = { readonly tree: string; readonly base?: string };

function getSeenCheck(run: Run, command: Command, { tree, base }: ComparedTrees): CheckResultFacts | undefined {
  const runs = getRuns(run, tree, command);
  const last = runs.at(-1);
  if (!last) return undefined;
  const before = base === undefined ? [] : getRuns(run, base, command).map(toCheckRun);
  const { outcome } = judgeCheck({ name: command.name, before, after: runs.map(toCheckRun) });
  const tests = formatPassingTests(last.tests);
  const failing = last.tests?.failing ?? [];
  const because = outcome === "not-run" ? explainUnusableRun(toCheckRun(last), true) : undefined;
  return {
    outcome,
    ...(tests ? { tests } : {}),
    ...(failing.length > 0 ? { failing } : {}),
    ...(because === undefined ? {} : { because }),
  };
}

/** Selects the logs of checks that were red on this tree, and of those whose output the input quotes. */
function selectLogs(run: Run, { tree, input }: FactOrder): readonly CheckLog[] {
  const told = collectOutputs(input);
  const meant = listLastRuns(run).filter(
    ({ tree: on, result }) =>
      isRed(result) && (on === tree || told.some((text) => text.includes(result.excerpt ?? ""))),
  );
  return meant
    .flatMap(({ result: { name, output } }) => (output === undefined ? [] : [{ name, output }]))
    .slice(-MOST_LOGS);
}

const MOST_LOGS = 8;

const isRed = ({ excerpt = "" }: CommandRun): boolean => excerpt !== "";

/** Collects the output of checks that findings quote, anywhere in the input. */
function collectOutputs(input: unknown): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      if (key === "output" && typeof each === "string" && each !== "") found.add(each);
      else walk(each);
    }
  };
  walk(input);
  return [...found];
}
