import type { CheckedCommand, Command } from "../../core/effect.ts";
import { needsRerun, type TestChange } from "../../core/evidence/compare.ts";
import type { Finding } from "../../core/finding.ts";
import type { JournalRecord } from "../../core/record.ts";
import type { CheckOptions, Evidence, Verbs } from "../../core/verbs.ts";
import { forever, type Run, StepFailed } from "../run.ts";
import { type StepPlace, step } from "../step.ts";
import { recordEvidence } from "./evidence-record.ts";
import { checkOf, type JudgedCheck, judgedCheck, runOf } from "./judged-check.ts";

/** check(): the engine runs the configured commands itself, on a tree it knows. */
export function checkVerbs(run: Run): Pick<Verbs<unknown>, "check"> {
  return {
    async check(tree, options = {}) {
      const outcome = await step<Evidence>(run, {
        verb: "check",
        name: options.phase === "baseline" ? "baseline" : "check",
        input: { tree: tree.tree, options },
        work: async (place) => ({ value: await evidence(run, place, { tree: tree.tree, options }) }),
        keep: (_value, place) => {
          for (const record of place.past?.evidence ?? [])
            remember(run, record.tree, { result: seenAgain(record), turn: record.turn });
        },
      });
      if (!outcome.ok) throw new StepFailed(outcome.key, outcome.failure);
      return outcome.value;
    },
  };
}

type Asked = { readonly tree: string; readonly options: CheckOptions };
type Runs = ReadonlyMap<string, readonly CheckedCommand[]>;

async function evidence(run: Run, place: StepPlace, { tree, options }: Asked): Promise<Evidence> {
  const known = run.started.commands;
  const wanted = options.commands ?? known.map((command) => command.name);
  const where = options.cwd === undefined ? {} : { cwd: options.cwd };
  const commands = known.filter(({ name }) => wanted.includes(name)).map((command) => ({ ...command, ...where }));
  const { before, after } = await bothTrees(run, place, { tree, options, commands });
  const own = options.baseline
    ? await inspected(run, place, { tree, options, testCounts: countsOf(before, after) })
    : [];
  const judged = commands.map((command) =>
    judgedCheck(command.name, before.get(command.name), after.get(command.name)),
  );
  const ownJudged = own.map((each) => ({
    check: checkOf(each, each.exitCode === 0 ? "passed" : "failed"),
    findings: each.findings ?? [],
  }));
  recordEvidence(run, place, { tree, options, before, after, judged, own });
  return summary(
    tree,
    [...judged, ...ownJudged],
    wanted.filter((name) => !commands.some((command) => command.name === name)),
  );
}

/** A regression is believed only after both trees have run it once more. */
async function bothTrees(run: Run, place: StepPlace, at: Asked & { commands: readonly Command[] }) {
  const { tree, options, commands } = at;
  const baseline = options.baseline?.tree;
  let before: Runs =
    baseline === undefined ? new Map() : await runsOn(run, place, { tree: baseline, commands, label: "before" });
  let after = await runsOn(run, place, { tree, commands, label: "after" });
  const doubtful = commands.filter(({ name }) => {
    const [then, now] = [before.get(name) ?? [], after.get(name) ?? []];
    return then.length + now.length < 4 && now[0] !== undefined && needsRerun(then[0] && runOf(then[0]), runOf(now[0]));
  });
  if (baseline !== undefined && doubtful.length > 0) {
    before = merged(
      before,
      await runsOn(run, place, { tree: baseline, commands: doubtful, label: "before-again", again: true }),
    );
    after = merged(after, await runsOn(run, place, { tree, commands: doubtful, label: "after-again", again: true }));
  }
  return { before, after };
}

function merged(first: Runs, second: Runs): Runs {
  return new Map([...first, ...second]);
}

type OneTree = {
  readonly tree: string;
  readonly commands: readonly Command[];
  readonly label: string;
  readonly again?: boolean;
};

async function runsOn(run: Run, place: StepPlace, at: OneTree): Promise<Runs> {
  const enough = at.again ? 2 : 1;
  const missing = at.commands.filter((command) => runsOf(run, at.tree, command).length < enough);
  if (missing.length > 0) {
    const { setup } = run.started;
    await run.recorder.durable();
    const results = await run.effect(place.past ? "resume" : "start", {
      id: `${run.id}/${place.key}@${at.label}`,
      run: run.id,
      kind: "check",
      request: { tree: at.tree, commands: missing, ...(setup ? { setup: setupOf(setup) } : {}) },
    });
    if (run.over) return forever();
    for (const result of results) remember(run, at.tree, { result, turn: enough });
  }
  return new Map(at.commands.map((command) => [command.name, runsOf(run, at.tree, command)]));
}

function setupOf(setup: { readonly run: string; readonly lockFile?: string | undefined }) {
  return { run: setup.run, ...(setup.lockFile === undefined ? {} : { lockFile: setup.lockFile }) };
}

function countsOf(before: Runs, after: Runs): readonly TestChange[] {
  return [...after].map(([name, runs]) => ({
    name,
    before: before.get(name)?.at(-1)?.tests,
    after: runs.at(-1)?.tests,
  }));
}

async function inspected(
  run: Run,
  place: StepPlace,
  { tree, options, testCounts }: Asked & { readonly testCounts: readonly TestChange[] },
): Promise<readonly CheckedCommand[]> {
  await run.recorder.durable();
  const results = await run.effect(place.past ? "resume" : "start", {
    id: `${run.id}/${place.key}@inspect`,
    run: run.id,
    kind: "check",
    request: {
      tree,
      commands: [],
      inspect: {
        baseline: options.baseline?.tree ?? tree,
        ...(options.declared ? { declared: options.declared } : {}),
        protectedPaths: run.started.protectedPaths ?? [],
        testCounts,
      },
    },
  });
  return run.over ? forever() : results;
}

type Line = Pick<Command, "run" | "cwd">;
const memo = (tree: string, { run, cwd = "" }: Line): string => [tree, cwd, run].join(" ");

function runsOf(run: Run, tree: string, command: Line): readonly CheckedCommand[] {
  return run.state.checked.get(memo(tree, command)) ?? [];
}

/** By its turn: branches may run the same thing side by side, and a replay meets the same run in several steps. */
function remember(run: Run, tree: string, seen: { readonly result: CheckedCommand; readonly turn: number }): void {
  const { command, cwd } = seen.result;
  const line = { run: command, ...(cwd === undefined ? {} : { cwd }) };
  const runs = runsOf(run, tree, line);
  if (runs.length === seen.turn - 1) run.state.checked.set(memo(tree, line), [...runs, seen.result]);
}

function seenAgain(record: JournalRecord<"evidence.recorded">): CheckedCommand {
  const { check: name, command, cwd, exitCode, ms, digest, snippet, tests } = record;
  const where = cwd === undefined ? {} : { cwd };
  // The record's schema and the counts' type say the same of `tests`.
  return { name, command, ...where, exitCode, ms, digest, snippet, ...(tests ? { tests: tests as never } : {}) };
}

function summary(tree: string, judged: readonly JudgedCheck[], notRun: readonly string[]): Evidence {
  const checks = judged.map(({ check }) => check);
  const findings = judged.flatMap((each) => each.findings.map((finding) => ({ finding, outcome: each.check.outcome })));
  const isTamper = ({ finding }: { finding: Finding }) => finding.by === "tamper";
  return {
    tree,
    passed:
      checks.some(({ outcome }) => outcome === "passed" || outcome === "red-before") &&
      checks.every(({ outcome }) => outcome !== "failed" && outcome !== "regression"),
    checks,
    regressions: findings
      .filter((each) => each.outcome === "regression" && !isTamper(each))
      .map(({ finding }) => finding),
    tamper: uniqueByMessage(findings.filter(isTamper).map(({ finding }) => finding)),
    findings: findings.filter((each) => each.outcome !== "regression" && !isTamper(each)).map(({ finding }) => finding),
    notRun,
  };
}

/** Fewer tests are noticed by the comparison and by the inspection; they are one finding. */
function uniqueByMessage(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}
