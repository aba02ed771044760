import type { NeededCommand, Pipeline } from "../../core/authoring/pipeline.ts";
import { counted } from "../../core/text/count.ts";
import { readCheckoutState } from "../../workspace/read/checkout.ts";
import type { AgentLookup } from "../agents/agents.ts";
import { listAgentProblems } from "../agents/require-agents.ts";
import { findMissingPrograms } from "../doctor/missing-programs.ts";
import type { Symptom } from "../doctor/symptom.ts";
import { findUntestedProject } from "../doctor/untested-project.ts";
import type { Settings } from "../project/settings.ts";

export type ProblemInputs = {
  readonly top: string;
  readonly pipeline: Pipeline;
  readonly agents: AgentLookup;
  readonly settings: Settings;
  readonly policy: unknown;
  /** In a team: prerequisites that its workers lack. */
  readonly workers: readonly Symptom[] | undefined;
};

/** Lists the prerequisites that a run of this pipeline lacks here, each with its fix command. */
export async function listRunProblems(asked: ProblemInputs): Promise<readonly Symptom[]> {
  const { pipeline, settings, policy, workers } = asked;
  return [
    ...(workers ?? listMachineProblems(asked)),
    ...listMissingChecks(settings),
    ...listMissingCommands(pipeline, { settings, policy }),
    ...(await findUntestedProject(asked.top, settings)),
    ...(await listUncommittedChanges(asked.top)),
  ];
}

/** Lists missing agents and programs of checks on this machine. */
function listMachineProblems({ pipeline, agents, settings }: ProblemInputs): readonly Symptom[] {
  const players = listAgentProblems(pipeline, agents, Date.now()).map(
    ({ message, hint }): Symptom => ({ what: "agents", state: "missing", says: message, get: hint }),
  );
  const programs = findMissingPrograms(settings).map(
    ({ names, lacks, get }): Symptom => ({
      what: "checks",
      state: "missing",
      says: `${names.join(", ")}: ${lacks}`,
      get,
    }),
  );
  return [...players, ...programs];
}

/** Reports uncommitted changes. They are not part of a run but do not prevent one. */
export async function listUncommittedChanges(top: string): Promise<readonly Symptom[]> {
  const { dirt: changed } = await readCheckoutState(top);
  if (changed.length === 0) return [];
  const some = changed.slice(0, 3).join(", ");
  const says = `${counted(changed.length, "uncommitted change")} (${some}${changed.length > 3 ? ", …" : ""}); a run starts from the last commit`;
  return [{ what: "checkout", state: "note", says, get: "git commit, to include them in the run" }];
}

type CommandInputs = { readonly settings: Pick<Settings, "commands" | "exempt">; readonly policy: unknown };

/**
 * Reports commands that the pipeline requires. Skipped if there are no commands at all, which is reported separately
 * unless a reason is configured.
 */
export function listMissingCommands(
  { name, needs }: Pipeline,
  { settings, policy }: CommandInputs,
): readonly Symptom[] {
  if (settings.commands.length === 0 && settings.exempt === undefined) return [];
  const known = settings.commands.map((command) => command.name);
  const missing = (needs?.commands ?? []).filter((need) => !known.includes(need.name) && !isWaived(need, policy));
  return missing.map((need) => ({
    what: "checks",
    state: "note",
    says: `${name} needs a command named ${need.name}, which is not configured: ${need.because}`,
    get: `${need.name}: <command> under commands: in .signalbox/config.yaml${need.unless === undefined ? "" : `, or ${need.unless}: true under pipelines.${name}.policy`}`,
  }));
}

function isWaived({ unless }: NeededCommand, policy: unknown): boolean {
  const value = unless?.split(".").reduce<unknown>((at, key) => {
    // A property of any value is either undefined or a value.
    return typeof at === "object" && at !== null ? (at as Readonly<Record<string, unknown>>)[key] : undefined;
  }, policy);
  return value === true;
}

function listMissingChecks({ commands, exempt, approvals }: Settings): readonly Symptom[] {
  if (commands.length > 0 || exempt !== undefined) return [];
  const autonomous = approvals === "autonomous";
  const says = autonomous
    ? "none configured, and an autonomous run requires one"
    : "none configured; you are asked to confirm that at the start";
  return [{ what: "checks", state: autonomous ? "missing" : "note", says, get: NO_CHECK_HINT }];
}

/** Does not suggest `init`: it only proposes what the project's files declare, and that applies without it. */
export const NO_CHECK_HINT =
  "add a check, such as `test: <command>`, under commands: in .signalbox/config.yaml, or state there why none is needed: no-checks: <reason>";
