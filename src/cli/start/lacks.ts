import type { NeededCommand, Pipeline } from "../../core/authoring/pipeline.ts";
import { counted } from "../../core/text/counted.ts";
import { seeCheckout } from "../../workspace/read/checkout.ts";
import type { Agents } from "../agents/agents.ts";
import { agentLacks } from "../agents/require-agents.ts";
import { leftTests } from "../doctor/left-tests.ts";
import { missingPrograms } from "../doctor/missing-programs.ts";
import type { Symptom } from "../doctor/symptom.ts";
import type { Settings } from "../project/settings.ts";

export type LacksQuestion = {
  readonly top: string;
  readonly pipeline: Pipeline;
  readonly agents: Agents;
  readonly settings: Settings;
  readonly policy: unknown;
  /** In a team: what its workers lack. */
  readonly workers: readonly Symptom[] | undefined;
};

/** What a run of this pipeline will need and would not get here, each with the line that cures it. */
export async function lacksOf(asked: LacksQuestion): Promise<readonly Symptom[]> {
  const { pipeline, settings, policy, workers } = asked;
  return [
    ...(workers ?? lacksHere(asked)),
    ...noCheck(settings),
    ...neededCommands(pipeline, { settings, policy }),
    ...(await leftTests(asked.top, settings)),
    ...(await dirt(asked.top)),
  ];
}

/** Agents and programs of checks, where this machine is to have them. */
function lacksHere({ pipeline, agents, settings }: LacksQuestion): readonly Symptom[] {
  const players = agentLacks(pipeline, agents, Date.now()).map(
    ({ message, hint }): Symptom => ({ what: "agents", state: "missing", says: message, get: hint }),
  );
  const programs = missingPrograms(settings).map(
    ({ names, lacks, get }): Symptom => ({
      what: "checks",
      state: "missing",
      says: `${names.join(", ")}: ${lacks}`,
      get,
    }),
  );
  return [...players, ...programs];
}

/** Told, and no obstacle: work that is not committed is not part of a run. */
export async function dirt(top: string): Promise<readonly Symptom[]> {
  const { dirt: changed } = await seeCheckout(top);
  if (changed.length === 0) return [];
  const some = changed.slice(0, 3).join(", ");
  const says = `${counted(changed.length, "change")} not committed (${some}${changed.length > 3 ? ", …" : ""}); a run starts from the last commit`;
  return [{ what: "checkout", state: "note", says, get: "git commit, where the run is to see them" }];
}

type CommandLook = { readonly settings: Pick<Settings, "commands" | "exempt">; readonly policy: unknown };

/** Where there is no command at all, that is the one thing to say, unless somebody has said that none is needed. */
export function neededCommands({ name, needs }: Pipeline, { settings, policy }: CommandLook): readonly Symptom[] {
  if (settings.commands.length === 0 && settings.exempt === undefined) return [];
  const known = settings.commands.map((command) => command.name);
  const missing = (needs?.commands ?? []).filter((need) => !known.includes(need.name) && !isWaived(need, policy));
  return missing.map((need) => ({
    what: "checks",
    state: "note",
    says: `${name} needs a command called ${need.name}, and there is none: ${need.because}`,
    get: `${need.name}: <the line> under commands: in .signalbox/config.yaml${need.unless === undefined ? "" : `, or ${need.unless}: true under pipelines.${name}.policy`}`,
  }));
}

function isWaived({ unless }: NeededCommand, policy: unknown): boolean {
  const value = unless?.split(".").reduce<unknown>((at, key) => {
    // Whatever it is, a key of it is undefined or a value.
    return typeof at === "object" && at !== null ? (at as Readonly<Record<string, unknown>>)[key] : undefined;
  }, policy);
  return value === true;
}

function noCheck({ commands, exempt, approvals }: Settings): readonly Symptom[] {
  if (commands.length > 0 || exempt !== undefined) return [];
  const autonomous = approvals === "autonomous";
  const says = autonomous
    ? "there is none, and an autonomous run is refused without one"
    : "there is none: you are asked at the start whether that is meant";
  return [{ what: "checks", state: autonomous ? "missing" : "note", says, get: NO_CHECK_HINT }];
}

/** `init` proposes what the project's files declare, and that counts without it too: it is no help here. */
export const NO_CHECK_HINT =
  "write the line that judges work, such as `test: <the line>`, under commands: in .signalbox/config.yaml, or say there why none is needed: no-checks: <the reason>";
