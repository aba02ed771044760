import { accessSync, constants, existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Driver } from "../../core/ports/driver.ts";
import { nearest } from "../../core/text/did-you-mean.ts";
import type { DriverDescriptor, DriverParts, User } from "../../drivers/descriptor.ts";
import { AGENT_PROGRAMS, type AgentProgram, DRIVERS, driverNamed, isAgentProgram } from "../../drivers/index.ts";
import { scriptedBy } from "../../drivers/scripted/index.ts";
import type { ConfiguredAgent, ConfiguredDriver } from "../project/config.ts";
import { brokenBehind } from "../trust/own-modules.ts";
import { type OwnDrivers, unreadDriver } from "./own-drivers.ts";

/** What was said about agents when a run was started; `resume` starts from the same. */
export type AgentFlags = { readonly agents?: string; readonly agent: readonly string[] };

export type AgentChoice = {
  readonly driver: DriverDescriptor;
  readonly model?: string;
  /** What else a worker of a team must offer to play it. */
  readonly labels?: readonly string[];
  /** Plays while this one's usage window is used up. */
  readonly instead?: AgentChoice;
};

export type AgentConfig = {
  readonly agents: Readonly<Record<string, ConfiguredAgent>>;
  /** Programs of the protocol, as the configuration describes them. */
  readonly drivers: Readonly<Record<string, ConfiguredDriver>>;
};

/** All drivers that can be named here. */
type Named = Pick<AgentConfig, "drivers"> & { readonly own: OwnDrivers };

export type Agents = (role: string) => AgentChoice | undefined;

/** `--agent` before `--agents` before the configuration; an entry for the role before one for all. */
export function agentsFrom(flags: AgentFlags, { agents, drivers }: AgentConfig, own: OwnDrivers): Agents {
  const known = { drivers, own };
  const named = new Map(flags.agent.map((text) => parseFlag(text, known)));
  const configured = (role: string): AgentChoice | undefined => {
    const entry = agents[role];
    return entry && fromConfig(role, entry, known);
  };
  const scripted = flags.agents ? { driver: scriptedBy(resolve(flags.agents)) } : undefined;
  return (role) => named.get(role) ?? named.get("*") ?? scripted ?? configured(role) ?? configured("*");
}

/** The first choice, and who plays instead of it, and instead of that one. */
export function withFallbacks(choice: AgentChoice | undefined): readonly AgentChoice[] {
  return choice ? [choice, ...withFallbacks(choice.instead)] : [];
}

const user = (): User => ({ home: homedir(), env: process.env });

export function driverOf({ driver }: AgentChoice, parts: Partial<DriverParts> = {}): Driver | Promise<Driver> {
  const known = { user: user(), logins: loginsOf(driver) };
  return driver.create({ limits: {}, mailbox: "", contained: false, ...known, ...parts });
}

export function describeAgent(choice: AgentChoice | undefined): string {
  if (!choice) return "nobody";
  const { driver, model } = choice;
  return driver.title ?? (model === undefined ? driver.name : `${driver.name}:${model}`);
}

/** Where the user is logged in with this agent, as far as that is a file: it must be visible where the home is not. */
export function loginsOf({ login }: DriverDescriptor): readonly string[] {
  return login?.files(user()).filter((path) => existsSync(path)) ?? [];
}

/** What is known of the program, whichever driver starts it. */
export function knownProgram({ driver }: AgentChoice): AgentProgram | undefined {
  return [driver, ...AGENT_PROGRAMS].filter(isAgentProgram).find(({ program }) => program === driver.program);
}

/** The same one, with what `drivers:` says about it. */
export function asConfigured(driver: DriverDescriptor, { drivers }: Pick<AgentConfig, "drivers">): AgentChoice {
  return { driver: driverNamed(driver.name, drivers[driver.name]) ?? driver };
}

/** What the repository brings takes the place of what is built in. */
function find(name: string, { drivers, own }: Named): DriverDescriptor | undefined {
  const broken = brokenBehind(name, own.broken);
  if (broken) throw broken;
  const found = own.all.find((driver) => driver.name === name) ?? driverNamed(name, drivers[name]);
  const unread = found ? undefined : unreadDriver(name, own);
  if (unread) throw unread;
  return found;
}

function parseFlag(text: string, known: Named): [string, AgentChoice] {
  const [, role, driver, model] = /^([^=]+)=([^:]+)(?::(.+))?$/.exec(text) ?? [];
  if (role === undefined || driver === undefined) {
    throw new SignalboxError(
      "USAGE",
      `--agent "${text}" does not say who plays what.`,
      "Write --agent role=driver[:model].",
    );
  }
  const chosen = find(driver, known);
  if (chosen && !chosen.ofArgv) return [role, { driver: chosen, ...(model === undefined ? {} : { model }) }];
  throw new SignalboxError(
    "USAGE",
    `--agent ${text}: there is no driver "${driver}" that needs no configuration.`,
    `Use ${READY.join(", ")}, or configure a command for the role under \`agents:\` in .signalbox/config.yaml.`,
  );
}

/** Programs by their names, then what is none. */
const READY = DRIVERS.filter(({ ofArgv }) => !ofArgv)
  .toSorted((a, b) => Number(!a.program) - Number(!b.program) || (a.name < b.name ? -1 : 1))
  .map(({ name }) => name);

function fromConfig(role: string, configured: ConfiguredAgent, known: Named): AgentChoice {
  const { driver: name, argv, model, labels, instead } = configured;
  const named = find(name, known);
  if (!named) throw unknownDriver(role, name, known);
  if (named.ofArgv && !argv) throw withoutArgv(role, name);
  return {
    driver: argv && named.ofArgv ? named.ofArgv(argv) : named,
    ...(model === undefined ? {} : { model }),
    ...(labels === undefined ? {} : { labels }),
    ...(instead === undefined ? {} : { instead: fromConfig(role, instead, known) }),
  };
}

function unknownDriver(role: string, driver: string, { drivers, own }: Named): SignalboxError {
  const configured = DRIVERS.flatMap(({ name, ofArgv }) => (ofArgv ? [name] : []));
  const known = [...configured, ...READY, ...Object.keys(drivers), ...own.all.map(({ name }) => name)];
  const close = nearest(driver, known);
  return new SignalboxError(
    "CONFIG_INVALID",
    `The agent for ${role} in .signalbox/config.yaml has a driver "${driver}" that nobody knows.`,
    close ? `Did you mean "${close}"?` : `Use one of ${known.join(", ")}, or describe it under \`drivers:\`.`,
  );
}

function withoutArgv(role: string, driver: string): SignalboxError {
  return new SignalboxError(
    "CONFIG_INVALID",
    `The agent for ${role} in .signalbox/config.yaml is a ${driver} without argv.`,
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
