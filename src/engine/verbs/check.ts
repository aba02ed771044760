import type { CheckedCommand, Command } from "../../core/effect.ts";
import type { Finding } from "../../core/finding.ts";
import type { LedgerRow } from "../../core/ledger.ts";
import type { FactOf, JournalRecord } from "../../core/record.ts";
import type { Check, CheckOptions, Evidence, Verbs } from "../../core/verbs.ts";
import { forever, type Run, StepFailed } from "../run.ts";
import { type StepPlace, step } from "../step.ts";

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
          for (const record of place.past?.evidence ?? []) remember(run, record);
        },
      });
      if (!outcome.ok) throw new StepFailed(outcome.key, outcome.failure);
      return outcome.value;
    },
  };
}

type Asked = { readonly tree: string; readonly options: CheckOptions };

async function evidence(run: Run, place: StepPlace, { tree, options }: Asked): Promise<Evidence> {
  const known = run.started.commands;
  const wanted = options.commands ?? known.map((command) => command.name);
  const commands = known.filter((command) => wanted.includes(command.name));
  const baseline = options.baseline?.tree;
  const before =
    baseline === undefined ? [] : await onTree(run, place, { tree: baseline, commands, options, phase: "baseline" });
  const after = await onTree(run, place, { tree, commands, options, phase: options.phase ?? "after" });
  const checks = after.map((each) => withBefore(each, before));
  const broken = checks.filter((check) => !check.passed && check.before !== false);
  return {
    tree,
    passed: checks.length > 0 && broken.length === 0,
    checks,
    regressions: checks.filter((check) => check.before === true && !check.passed).map(regression),
    notRun: wanted.filter((name) => !commands.some((command) => command.name === name)),
  };
}

type OneTree = {
  readonly tree: string;
  readonly commands: readonly Command[];
  readonly options: CheckOptions;
  readonly phase: "baseline" | "after";
};

async function onTree(run: Run, place: StepPlace, at: OneTree): Promise<readonly FactOf<"evidence.recorded">[]> {
  const already = new Map((place.past?.evidence ?? []).map((record) => [`${record.phase}/${record.check}`, record]));
  for (const record of already.values()) remember(run, record);
  const missing = at.commands.filter((command) => !run.state.checked.has(memo(at.tree, command.run)));
  if (missing.length > 0) {
    await run.recorder.durable();
    const results = await run.effect(place.past ? "resume" : "start", {
      id: `${run.id}/${place.key}@${at.phase}`,
      run: run.id,
      kind: "check",
      request: { tree: at.tree, commands: missing },
    });
    if (run.over) return forever();
    for (const result of results) remember(run, stampless(place, at, result));
  }
  return at.commands.flatMap((command) => {
    const seen = run.state.checked.get(memo(at.tree, command.run));
    if (!seen) return [];
    const fact = factOf(place, at, { ...seen, name: seen.check });
    if (!already.has(`${at.phase}/${command.name}`)) run.recorder.record({ ...fact, rows: [rowOf(fact)] });
    return [fact];
  });
}

function memo(tree: string, command: string): string {
  return `${tree} ${command}`;
}

function remember(run: Run, record: JournalRecord<"evidence.recorded">): void {
  const key = memo(record.tree, record.command);
  if (!run.state.checked.has(key)) run.state.checked.set(key, record);
}

function factOf(place: StepPlace, at: OneTree, result: CheckedCommand): FactOf<"evidence.recorded"> {
  return {
    type: "evidence.recorded",
    key: place.key,
    task: at.options.task ?? "",
    check: result.name,
    phase: at.phase,
    round: at.phase === "baseline" ? 0 : place.scope.round,
    passed: result.exitCode === 0,
    tree: at.tree,
    command: result.command,
    exitCode: result.exitCode,
    ms: result.ms,
    digest: result.digest,
    snippet: result.snippet,
  };
}

/** The memory of checks only reads the fact; its stamp is given when it is recorded. */
function stampless(place: StepPlace, at: OneTree, result: CheckedCommand): JournalRecord<"evidence.recorded"> {
  return { ...factOf(place, at, result), v: 1, seq: 0, ts: 0, run: "", chain: "" };
}

function rowOf(fact: FactOf<"evidence.recorded">): LedgerRow {
  return {
    table: "anvil_checks",
    values: {
      task_id: fact.task,
      phase: fact.phase,
      check_name: fact.check,
      tool: "signalbox",
      command: fact.command,
      exit_code: fact.exitCode,
      output_snippet: fact.snippet.slice(-500),
      passed: fact.passed ? 1 : 0,
      round: fact.round,
      instance: "",
      tree: fact.tree,
    },
  };
}

function withBefore(after: FactOf<"evidence.recorded">, before: readonly FactOf<"evidence.recorded">[]): Check {
  const then = before.find((each) => each.check === after.check);
  return {
    name: after.check,
    passed: after.passed,
    exitCode: after.exitCode,
    snippet: after.snippet,
    ...(then ? { before: then.passed } : {}),
  };
}

function regression(check: Check): Finding {
  return {
    severity: "major",
    message: `${check.name} passed on the baseline and fails now (exit ${check.exitCode})`,
    by: "check",
  };
}
