import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { nearest } from "../../core/text/did-you-mean.ts";
import { loginOf } from "./agent-login.ts";
import {
  type AgentChoice,
  type AgentFlags,
  type Agents,
  describeAgent,
  driverOf,
  isInstalled,
  knownProgram,
  withFallbacks,
} from "./agents.ts";

/** Every role must have somebody who plays it, and can, before anything starts. */
export async function requireAgents(pipeline: Pipeline, agents: Agents): Promise<void> {
  const refused = agentLacks(pipeline, agents, Date.now())[0];
  if (refused) throw refused;
  for (const { choice } of playing(pipeline, agents)) await driverOf(choice);
}

/** The same where others have the programs: every role has a name behind it. */
export function requireAssigned(pipeline: Pipeline, agents: Agents): void {
  const missing = pipeline.roles.filter((role) => !agents(role.name)).map((role) => role.name);
  if (missing.length > 0) throw unplayed(pipeline, missing);
}

/** A role that nobody has would be given to nobody, and its agent would never be missed. */
export function requireKnownRoles(pipeline: Pipeline, { agent }: AgentFlags): void {
  const known = pipeline.roles.map(({ name }) => name);
  const said = agent.map((text) => text.split("=")[0] ?? "").filter((role) => role !== "*");
  const unknown = said.find((role) => !known.includes(role));
  if (unknown === undefined) return;
  const close = nearest(unknown, known);
  throw new SignalboxError(
    "USAGE",
    `${pipeline.name} has no role "${unknown}".${close ? ` Did you mean "${close}"?` : ""}`,
    `Its roles: ${known.join(", ")}; * is every other one.`,
  );
}

/** What keeps roles from being played, as far as it can be told without asking anybody. */
export function agentLacks(pipeline: Pipeline, agents: Agents, now: number): readonly SignalboxError[] {
  const missing = pipeline.roles.filter((role) => !agents(role.name)).map((role) => role.name);
  const nobody = missing.length > 0 ? [unplayed(pipeline, missing)] : [];
  const unable = playing(pipeline, agents).flatMap((each) => withoutProgram(each) ?? withoutLogin(each, now) ?? []);
  return [...nobody, ...unable];
}

type Player = { readonly role: string; readonly choice: AgentChoice; readonly first: boolean };

/** Everybody once, with a role that is theirs. */
function playing(pipeline: Pipeline, agents: Agents): readonly Player[] {
  const all = pipeline.roles.flatMap(({ name: role }) =>
    withFallbacks(agents(role)).map((choice, at) => ({ role, choice, first: at === 0 })),
  );
  return [...new Map(all.toReversed().map((each) => [describeAgent(each.choice), each])).values()].toReversed();
}

function unplayed({ name, roles }: Pipeline, missing: readonly string[]): SignalboxError {
  const which = missing.length === roles.length ? "any role" : "these roles";
  return new SignalboxError(
    "AGENT_MISSING",
    `Nobody is configured for ${which} of ${name}: ${missing.join(", ")}.`,
    'Try --agent "*=codex" for all of them, --agents FILE for scripted ones, or `agents:` in .signalbox/config.yaml.',
  );
}

function withoutProgram({ role, choice }: Player): SignalboxError | undefined {
  const { program } = choice.driver;
  if (program === undefined || isInstalled(program)) return undefined;
  const install = knownProgram(choice)?.install;
  return new SignalboxError(
    "AGENT_MISSING",
    `The program "${program}" for the role ${role} is not on the PATH.`,
    `${install === undefined ? "Install it" : `Get it: ${install}`}; or correct its name in .signalbox/config.yaml, or choose another agent with --agent.`,
  );
}

/** Only of an agent whose attempts can have no other login than one that would have been found. Who plays instead may never play. */
function withoutLogin({ role, choice, first }: Player, now: number): SignalboxError | undefined {
  if (!first || !choice.driver.login?.only) return undefined;
  const login = loginOf(choice, now);
  if (!login || login.found) return undefined;
  return new SignalboxError(
    "LOGIN_MISSING",
    `${choice.driver.name}, which would play ${role}, cannot work: ${login.says}.`,
    `${login.get ?? "Log in"}; then the same line again. Or choose another agent with --agent.`,
  );
}
