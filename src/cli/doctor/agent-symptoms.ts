import { findNearestWord } from "../../core/text/did-you-mean.ts";
import { AGENT_PROGRAMS } from "../../drivers/index.ts";
import { findLogin } from "../agents/agent-login.ts";
import {
  type AgentChoice,
  applyDriverSettings,
  createAgentLookup,
  describeAgent,
  findAgentProgram,
  isInstalled,
  listAgentChain,
} from "../agents/agents.ts";
import { type InstalledAgent, listInstalledAgents } from "../agents/installed-agents.ts";
import type { OwnDrivers } from "../agents/own-drivers.ts";
import type { ConfigLayer } from "../project/config-sources.ts";
import type { Settings } from "../project/settings.ts";
import { type Symptom, toUserError } from "./symptom.ts";

const what = "agents";

/**
 * Reports each configured agent and whether it is installed, then each known installed program with version and login.
 */
export async function findAgentSymptoms(settings: Settings, looking: SymptomContext): Promise<readonly Symptom[]> {
  const { now, elsewhere } = looking;
  const installed = await listInstalledAgents();
  const configuredRoles = Object.keys(settings.agents).map((role) => describeConfiguredRole(role, settings, looking));
  const chosen = configuredRoles.flatMap(({ programs }) => programs);
  const found = installed.map((agent) => {
    const used = configuredRoles.length === 0 || chosen.includes(agent.driver.program);
    const choice = applyDriverSettings(agent.driver, settings);
    return describeInstalledAgent(agent, { choice, used, chosen: configuredRoles.length > 0, now });
  });
  if (configuredRoles.length + found.length > 0)
    return [...configuredRoles.map(({ programs: _programs, ...symptom }) => symptom), ...found];
  const [first] = AGENT_PROGRAMS;
  const says = "no usable agent installed; `signalbox demo` needs none";
  return [{ what, state: elsewhere ? "note" : "missing", says, ...(first ? { get: first.install } : {}) }];
}

type RoleSymptom = Symptom & { readonly programs: readonly string[] };
export type SymptomContext = {
  readonly layers: readonly ConfigLayer[];
  readonly drivers: OwnDrivers;
  /** Roles of all pipelines known here. */
  readonly roles: readonly string[];
  readonly now: number;
  /** The team's workers have the agents, so an agent that is missing here is not a problem. */
  readonly elsewhere: boolean;
};

function describeConfiguredRole(
  role: string,
  settings: Settings,
  { layers, drivers, roles, now, elsewhere }: SymptomContext,
): RoleSymptom {
  const from = layers.find(({ config }) => config.agents?.[role])?.from ?? "";
  const others = Object.keys(settings.agents).length > 1 ? "every other role" : "every role";
  try {
    const players = listAgentChain(createAgentLookup({ agent: [] }, settings, drivers)(role));
    const names = players.map((choice) => `${describeAgent(choice)}${describeOtherLogin(choice, now)}`);
    const says = `${role === "*" ? others : role}: ${names.join(", fallback ")}  (${from})`;
    // Agents that fetch work from the mailbox are not programs that we start.
    const programs = players.flatMap(({ driver }) => driver.program ?? []);
    const absent = programs.find((program) => !isInstalled(program));
    if (absent === undefined) return { ...checkRoleName(role, roles), says, programs };
    const missingAgent = players.find(({ driver }) => driver.program === absent);
    const get = (missingAgent && findAgentProgram(missingAgent)?.install) ?? `put ${absent} on the PATH`;
    const state = elsewhere ? "note" : "missing";
    return { what, state, says: `${says}: ${absent} is not on the PATH`, get, programs };
  } catch (error) {
    const { message, hint } = toUserError(error);
    return { what, state: "missing", says: message, get: hint, programs: [] };
  }
}

/** Warns about an unknown role: a misspelled one would silently use the default agent. */
function checkRoleName(role: string, roles: readonly string[]): Pick<Symptom, "what" | "state" | "get"> {
  if (role === "*" || roles.includes(role)) return { what, state: "fine" };
  const close = findNearestWord(role, roles);
  return { what, state: "note", get: `no pipeline has a role ${role}${close ? `; did you mean ${close}?` : ""}` };
}

/**
 * Describes the login of a program that is not built in. Built-in programs have a line of their own that includes it.
 */
function describeOtherLogin(choice: AgentChoice, now: number): string {
  if (AGENT_PROGRAMS.some(({ program }) => program === choice.driver.program)) return "";
  const login = findLogin(choice, now);
  return login ? `, ${login.says}${login.get === undefined ? "" : `: ${login.get}`}` : "";
}

type AgentUse = {
  readonly choice: AgentChoice;
  readonly used: boolean;
  /** Named in the configuration, not merely installed. */
  readonly chosen: boolean;
  readonly now: number;
};

/** Describes an installed program. Problems of one that nobody chose are listed without a warning. */
function describeInstalledAgent({ driver, version }: InstalledAgent, { choice, used, chosen, now }: AgentUse): Symptom {
  const { program, tried } = driver;
  const login = findLogin(choice, now);
  const other = tried !== undefined && version !== tried;
  const says = [
    `${program} ${version}${other ? ` (${compareVersions(version, tried)} than the tested ${tried})` : ""}`,
    ...(login ? [login.says] : []),
  ].join(", ");
  if (!used) return { what, state: "fine", says };
  if (login && !login.found)
    return {
      what,
      state: chosen && choice.driver.login?.only ? "missing" : "note",
      says,
      ...(login.get === undefined ? {} : { get: login.get }),
    };
  return { what, state: other ? "note" : "fine", says };
}

function compareVersions(version: string, tried: string): string {
  const [here, there] = [version, tried].map((text) => text.split(/[.-]/).map(Number));
  const at = there?.findIndex((part, index) => part !== here?.[index]) ?? -1;
  const [mine, theirs] = [here?.[at], there?.[at]];
  if (mine === undefined || theirs === undefined || Number.isNaN(mine)) return "other";
  return mine > theirs ? "newer" : "older";
}
