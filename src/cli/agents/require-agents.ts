import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import { findLogin } from "./agent-login.ts";
import {
  type AgentChoice,
  type AgentFlags,
  type AgentLookup,
  createAgentDriver,
  describeAgent,
  findAgentProgram,
  isInstalled,
  listAgentChain,
} from "./agents.ts";

/** Checks before anything starts that every role has an agent that can run. */
export async function requireAgents(pipeline: Pipeline, agents: AgentLookup): Promise<void> {
  const refused = listAgentProblems(pipeline, agents, Date.now())[0];
  if (refused) throw refused;
  for (const { choice } of listAssignedAgents(pipeline, agents)) await createAgentDriver(choice);
}

/** Checks only that every role has an agent assigned. Team workers have the programs. */
export function requireAssigned(pipeline: Pipeline, agents: AgentLookup): void {
  const missing = pipeline.roles.filter((role) => !agents(role.name)).map((role) => role.name);
  if (missing.length > 0) throw createUnassignedError(pipeline, missing);
}

/** Rejects `--agent` for a role that the pipeline does not have; it would be ignored silently. */
export function requireKnownRoles(pipeline: Pipeline, { agent }: AgentFlags): void {
  const known = pipeline.roles.map(({ name }) => name);
  const roles = agent.map((text) => text.split("=")[0] ?? "").filter((role) => role !== "*");
  const unknown = roles.find((role) => !known.includes(role));
  if (unknown === undefined) return;
  const close = findNearestWord(unknown, known);
  throw new SignalboxError(
    "USAGE",
    `${pipeline.name} has no role "${unknown}".${close ? ` Did you mean "${close}"?` : ""}`,
    `Roles: ${known.join(", ")}; * for all others.`,
  );
}

/** Lists the problems that keep roles from running, as far as they are detectable without calling an agent. */
export function listAgentProblems(pipeline: Pipeline, agents: AgentLookup, now: number): readonly SignalboxError[] {
  const missing = pipeline.roles.filter((role) => !agents(role.name)).map((role) => role.name);
  const unassigned = missing.length > 0 ? [createUnassignedError(pipeline, missing)] : [];
  const unable = listAssignedAgents(pipeline, agents).flatMap(
    (each) => checkProgram(each) ?? checkLogin(each, now) ?? [],
  );
  return [...unassigned, ...unable];
}

type AssignedAgent = { readonly role: string; readonly choice: AgentChoice; readonly first: boolean };

/** Lists each agent once, with one of its roles. */
function listAssignedAgents(pipeline: Pipeline, agents: AgentLookup): readonly AssignedAgent[] {
  const all = pipeline.roles.flatMap(({ name: role }) =>
    listAgentChain(agents(role)).map((choice, at) => ({ role, choice, first: at === 0 })),
  );
  return [...new Map(all.toReversed().map((each) => [describeAgent(each.choice), each])).values()].toReversed();
}

function createUnassignedError({ name, roles }: Pipeline, missing: readonly string[]): SignalboxError {
  const which = missing.length === roles.length ? "any role" : "these roles";
  return new SignalboxError(
    "AGENT_MISSING",
    `No agent is configured for ${which} of ${name}: ${missing.join(", ")}.`,
    'Use --agent "*=codex" for all roles, --agents FILE for scripted agents, or `agents:` in .signalbox/config.yaml.',
  );
}

function checkProgram({ role, choice }: AssignedAgent): SignalboxError | undefined {
  const { program } = choice.driver;
  if (program === undefined || isInstalled(program)) return undefined;
  const install = findAgentProgram(choice)?.install;
  return new SignalboxError(
    "AGENT_MISSING",
    `The program "${program}" for role ${role} is not on the PATH.`,
    `${install === undefined ? "Install it" : `Install it: ${install}`}. Or correct its name in .signalbox/config.yaml, or choose another agent with --agent.`,
  );
}

/**
 * Applies only to agents whose login cannot come from anywhere but the checked locations. Fallbacks are skipped because
 * they may never run.
 */
function checkLogin({ role, choice, first }: AssignedAgent, now: number): SignalboxError | undefined {
  if (!first || !choice.driver.login?.only) return undefined;
  const login = findLogin(choice, now);
  if (!login || login.found) return undefined;
  return new SignalboxError(
    "LOGIN_MISSING",
    `${choice.driver.name}, the agent for role ${role}, cannot run: ${login.says}.`,
    `${login.get ?? "Log in"}, then repeat the command. Or choose another agent with --agent.`,
  );
}
