import type { Run } from "./run.ts";
import { rootScope } from "./scope.ts";
import { semaphore } from "./semaphore.ts";
import { inside } from "./verbs/branches.ts";
import { checked } from "./verbs/check.ts";
import { questionVerbs } from "./verbs/questions.ts";

/** The heading of what the engine does before the pipeline begins. */
export const PREFLIGHT = "Preflight";

/**
 * Set-up and baseline of every configured command, before anything is dispatched: a command that cannot run can judge
 * nothing, and whoever finds that out after the work has paid for it. Gives back why the run cannot begin.
 */
export async function preflight(run: Run): Promise<string | undefined> {
  if (!run.started.preflight) return undefined;
  const scope = { ...rootScope(semaphore(1)), id: "preflight", phase: PREFLIGHT };
  return inside(run, scope, () => (run.started.commands.length > 0 ? baseline(run) : exemption(run)));
}

async function baseline(run: Run): Promise<string | undefined> {
  const { base, commands } = run.started;
  const { checks, findings } = await checked(run, {
    name: "baseline",
    tree: base.tree,
    options: { phase: "baseline" },
  });
  const unfit = checks.filter(({ outcome }) => outcome === "not-run").map(({ name }) => name);
  if (unfit.length === 0) return undefined;
  const lines = commands.filter(({ name }) => unfit.includes(name)).map(({ name, run: line }) => `${name}: ${line}`);
  const said = findings
    .map(({ message }) => message)
    .filter((message) => unfit.some((name) => message.startsWith(name)));
  return `${said.join("; ")} (${lines.join(", ")}). Nothing was dispatched.`;
}

/** Nothing of the project can judge the work: whether that is meant is asked once, and answered with a reason. */
async function exemption(run: Run): Promise<string | undefined> {
  if (run.started.exempt !== undefined) {
    run.state.exemption = { by: "the configuration", reason: run.started.exempt };
    return undefined;
  }
  const { ask } = questionVerbs(run);
  const { choice, by, note } = await ask({
    title: "No command of this repository can judge the work. Go on without?",
    show: {
      means:
        "No build, no test and no other command is configured, so whatever is committed was judged by reviews alone.",
      instead: "Configure commands in .signalbox/config.yaml and run again; `signalbox init` proposes some.",
    },
    choices: ["go on", "stop"],
    auto: "never",
  });
  if (choice === "stop")
    return `no command is configured, and ${by} chose not to go on without. Nothing was dispatched.`;
  run.state.exemption = { by, reason: note ?? "no reason was given" };
  return undefined;
}
