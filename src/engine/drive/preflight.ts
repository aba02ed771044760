import { PREFLIGHT } from "../../core/authoring/preflight.ts";
import type { Check, Evidence } from "../../core/authoring/verbs.ts";
import type { UnusableCommand } from "../../core/checks/cure/cure.ts";
import { createRootScope } from "../replay/scope.ts";
import type { Run } from "../run.ts";
import { createSemaphore } from "../semaphore.ts";
import { createQuestionVerbs } from "../verbs/ask.ts";
import { runCheck } from "../verbs/check.ts";
import { runInScope } from "../verbs/concurrency.ts";

/**
 * Runs the set-up and the baseline of every configured command before the first dispatch. A command that cannot run
 * proves nothing, and finding that out after the work would waste its cost. Returns the reason why the run cannot
 * begin.
 * @rule A-21 (gate) Set-up and baseline of every configured command run before the first dispatch. A command that
 *   cannot run ends the run there.
 */
export async function runPreflight(run: Run): Promise<PreflightProblem | undefined> {
  if (!run.started.preflight) return undefined;
  const scope = { ...createRootScope(createSemaphore(1)), id: "preflight", phase: PREFLIGHT };
  return runInScope(run, scope, () => (run.started.commands.length > 0 ? checkBaseline(run) : askExemption(run)));
}

/** The reason why a run cannot begin, and what the user can do about it. */
export type PreflightProblem = {
  readonly reason: string;
  /** One line per problem, if there are several. */
  readonly errors?: readonly string[];
  readonly next?: readonly string[];
};

async function checkBaseline(run: Run): Promise<PreflightProblem | undefined> {
  const { base } = run.started;
  const seen = await runCheck(run, { name: "baseline", tree: base.tree, options: { phase: "baseline" } });
  const unfit = seen.checks.filter(({ outcome }) => outcome === "not-run");
  if (unfit.length === 0) return undefined;
  const ailments = unfit.map((check) => describeUnfitCommand(run, check, seen));
  const lines = ailments.map(({ command }) => `${command.name}: ${command.run}`);
  // Asking other programs for fixes takes time and is no step.
  const next = await run.idle.busy(() => run.cures({ run: run.id, tree: base.tree, ailments }));
  const reason = `${formatUnfitReasons(unfit, seen).join("; ")} (${lines.join(", ")}). Nothing was dispatched.`;
  const errors =
    formatUnfitReasons(unfit, seen).length > 1
      ? { errors: unfit.map((check) => formatUnfitCommand(run, check, seen)) }
      : {};
  return { reason, ...errors, ...(next.length > 0 ? { next } : {}) };
}

function describeUnfitCommand({ started }: Run, check: Check, seen: Evidence): UnusableCommand {
  const { name, snippet } = check;
  const line = started.commands.find((command) => command.name === name)?.run ?? "";
  const words = `${findReason(check, seen) ?? ""}\n${snippet}`;
  return { command: { name, run: line }, words, setup: started.setup };
}

function formatUnfitCommand({ started }: Run, check: Check, seen: Evidence): string {
  const line = started.commands.find(({ name }) => name === check.name)?.run ?? "";
  const why = findReason(check, seen)?.replace(`${check.name} could not be run: `, "") ?? "";
  return `${check.name} (${line}): ${why}`;
}

/** A failed set-up keeps all commands from running; it is reported once. */
function formatUnfitReasons(unfit: readonly Check[], seen: Evidence): readonly string[] {
  const whys = Map.groupBy(unfit, (check) => findReason(check, seen)?.slice(check.name.length) ?? "");
  return [...whys].map(([why, checks]) => `${checks.map(({ name }) => name).join(", ")}${why}`);
}

function findReason({ name }: Check, { findings }: Evidence): string | undefined {
  return findings.map(({ message }) => message).find((message) => message.startsWith(`${name} `));
}

/** Asks once whether a run without any command of the project is intended. The answer carries a reason. */
async function askExemption(run: Run): Promise<PreflightProblem | undefined> {
  const { exempt, exemptFrom = "the configuration" } = run.started;
  if (exempt !== undefined) {
    run.state.exemption = { by: exemptFrom, reason: exempt };
    return undefined;
  }
  const { ask } = createQuestionVerbs(run);
  const { choice, by, note } = await ask({
    title: "No command of this repository can judge the work. Go on without?",
    show: {
      means:
        "No build, no test and no other command is configured, so whatever is committed was judged by reviews alone.",
      instead: "Configure commands in .signalbox/config.yaml and run again.",
    },
    choices: ["go on", "stop"],
    leads: { "go on": "the run begins, judged by reviews alone", stop: "the run ends; no agent was dispatched" },
    auto: "never",
  });
  if (choice === "stop")
    return { reason: `no command is configured, and ${by} stopped the run. Nothing was dispatched.` };
  run.state.exemption = { by, reason: note ?? "no reason was given" };
  return undefined;
}
