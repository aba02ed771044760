import { accessSync, constants, existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Driver } from "../../core/ports/driver.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import type { DriverDescriptor, DriverParts, User } from "../../drivers/descriptor.ts";
import { AGENT_PROGRAMS, type AgentProgram, DRIVERS, isAgentProgram, selectDriver } from "../../drivers/index.ts";
import { createScriptedDescriptor } from "../../drivers/scripted/index.ts";
import type { ConfiguredAgent, ConfiguredDriver } from "../project/config.ts";
import { findFileError } from "../trust/own-modules.ts";
import { createUnloadedDriverError, type OwnDrivers } from "./own-drivers.ts";

/** Agent flags given when a run was started; `resume` starts from the same ones. */
export type AgentFlags = { readonly agents?: string; readonly agent: readonly string[] };

export type AgentChoice = {
  readonly driver: DriverDescriptor;
  readonly model?: string;
  /** Further labels that a team worker must offer to run this agent. */
  readonly labels?: readonly string[];
  /** Agent used while this one's usage window is exhausted. */
  readonly instead?: AgentChoice;
};

export type AgentConfig = {
  readonly agents: Readonly<Record<string, ConfiguredAgent>>;
  /** Agent Client Protocol programs described in the configuration. */
  readonly drivers: Readonly<Record<string, ConfiguredDriver>>;
};

/** All drivers that can be referenced by name. */
type DriverSources = Pick<AgentConfig, "drivers"> & { readonly own: OwnDrivers };

export type AgentLookup = (role: string) => AgentChoice | undefined;

/** Precedence: `--agent`, then `--agents`, then the configuration; an entry for the role before an entry for `*`. */
export function createAgentLookup(flags: AgentFlags, { agents, drivers }: AgentConfig, own: OwnDrivers): AgentLookup {
  const known = { drivers, own };
  const named = new Map(flags.agent.map((text) => parseAgentFlag(text, known)));
  const configured = (role: string): AgentChoice | undefined => {
    const entry = agents[role];
    return entry && resolveConfiguredAgent(role, entry, known);
  };
  const scripted = flags.agents ? { driver: createScriptedDescriptor(resolve(flags.agents)) } : undefined;
  return (role) => named.get(role) ?? named.get("*") ?? scripted ?? configured(role) ?? configured("*");
}

/** Lists an agent and its chain of fallbacks. */
export function listAgentChain(choice: AgentChoice | undefined): readonly AgentChoice[] {
  return choice ? [choice, ...listAgentChain(choice.instead)] : [];
}

const getUser = (): User => ({ home: homedir(), env: process.env });

export function createAgentDriver({ driver }: AgentChoice, parts: Partial<DriverParts> = {}): Driver | Promise<Driver> {
  const known = { user: getUser(), logins: listLoginFiles(driver) };
  return driver.create({ limits: {}, mailbox: "", contained: false, ...known, ...parts });
}

export function describeAgent(choice: AgentChoice | undefined): string {
  if (!choice) return "nobody";
  const { driver, model } = choice;
  return driver.title ?? (model === undefined ? driver.name : `${driver.name}:${model}`);
}

/** Returns the login files that exist. They must be visible to the agent where the home directory is not. */
export function listLoginFiles({ login }: DriverDescriptor): readonly string[] {
  return login?.files(getUser()).filter((path) => existsSync(path)) ?? [];
}

/** Returns the known agent program, whichever driver starts it. */
export function findAgentProgram({ driver }: AgentChoice): AgentProgram | undefined {
  return [driver, ...AGENT_PROGRAMS].filter(isAgentProgram).find(({ program }) => program === driver.program);
}

/** Returns the driver with the settings from `drivers:` applied. */
export function applyDriverSettings(driver: DriverDescriptor, { drivers }: Pick<AgentConfig, "drivers">): AgentChoice {
  return { driver: selectDriver(driver.name, drivers[driver.name]) ?? driver };
}

/** Drivers of the repository take precedence over built-in ones. */
function findDriver(name: string, { drivers, own }: DriverSources): DriverDescriptor | undefined {
  const broken = findFileError(name, own.broken);
  if (broken) throw broken;
  const found = own.all.find((driver) => driver.name === name) ?? selectDriver(name, drivers[name]);
  const unread = found ? undefined : createUnloadedDriverError(name, own);
  if (unread) throw unread;
  return found;
}

function parseAgentFlag(text: string, known: DriverSources): [string, AgentChoice] {
  const [, role, driver, model] = /^([^=]+)=([^:]+)(?::(.+))?$/.exec(text) ?? [];
  if (role === undefined || driver === undefined) {
    throw new SignalboxError("USAGE", `--agent "${text}" is invalid.`, "Use --agent role=driver[:model].");
  }
  const chosen = findDriver(driver, known);
  if (chosen && !chosen.ofArgv) return [role, { driver: chosen, ...(model === undefined ? {} : { model }) }];
  throw new SignalboxError(
    "USAGE",
    `--agent ${text}: driver "${driver}" is unknown or requires configuration.`,
    `Use ${READY_DRIVERS.join(", ")}, or configure a command for the role under \`agents:\` in .signalbox/config.yaml.`,
  );
}

/** Drivers with a program first, by name; then drivers without one. */
const READY_DRIVERS = DRIVERS.filter(({ ofArgv }) => !ofArgv)
  .toSorted((a, b) => Number(!a.program) - Number(!b.program) || (a.name < b.name ? -1 : 1))
  .map(({ name }) => name);

function resolveConfiguredAgent(role: string, configured: ConfiguredAgent, known: DriverSources): AgentChoice {
  const { driver: name, argv, model, labels, instead } = configured;
  const named = findDriver(name, known);
  if (!named) throw createUnknownDriverError(role, name, known);
  if (named.ofArgv && !argv) throw createMissingArgvError(role, name);
  return {
    driver: argv && named.ofArgv ? named.ofArgv(argv) : named,
    ...(model === undefined ? {} : { model }),
    ...(labels === undefined ? {} : { labels }),
    ...(instead === undefined ? {} : { instead: resolveConfiguredAgent(role, instead, known) }),
  };
}

function createUnknownDriverError(role: string, driver: string, { drivers, own }: DriverSources): SignalboxError {
  const configured = DRIVERS.flatMap(({ name, ofArgv }) => (ofArgv ? [name] : []));
  const known = [...configured, ...READY_DRIVERS, ...Object.keys(drivers), ...own.all.map(({ name }) => name)];
  const close = findNearestWord(driver, known);
  return new SignalboxError(
    "CONFIG_INVALID",
    `Unknown driver "${driver}" for role ${role} in .signalbox/config.yaml.`,
    close ? `Did you mean "${close}"?` : `Known drivers: ${known.join(", ")}. Define others under \`drivers:\`.`,
  );
}

function createMissingArgvError(role: string, driver: string): SignalboxError {
  return new SignalboxError(
    "CONFIG_INVALID",
    `Role ${role} in .signalbox/config.yaml uses driver ${driver} without argv.`,
    'Add the program and its arguments, for example argv: ["my-agent", "--quiet"].',
  );
}

export function isInstalled(program: string): boolean {
  const places = isAbsolute(program) || program.includes("/") ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  return places.some((place) => {
    try {
      accessSync(place ? join(place, program) : program, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
