import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { SignalboxError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import type { Pipeline } from "../core/pipeline.ts";
import type { Driver } from "../core/ports/driver.ts";
import type { ProcessLimits } from "../core/ports/processes.ts";
import type { AcpProfile } from "../drivers/acp/profile.ts";
import { profileOf } from "../drivers/acp/profile-of.ts";
import type { ConfiguredAgent, ConfiguredDriver } from "./config.ts";
import { DRIVERS, READY } from "./drivers.ts";

/** What was said about agents when a run was started; `resume` starts from the same. */
export type AgentFlags = { readonly agents?: string; readonly agent: readonly string[] };

export type AgentChoice = {
  readonly model?: string /** Plays while this one's usage window is used up. */;
  readonly instead?: AgentChoice;
} & (
  | { readonly driver: "scripted"; readonly file: string }
  | { readonly driver: "claude" }
  | { readonly driver: "codex" }
  | { readonly driver: "mailbox" }
  | { readonly driver: "acp"; readonly name: string; readonly profile: AcpProfile }
  | { readonly driver: "command"; readonly argv: readonly string[] }
);

type Drivers = Readonly<Record<string, ConfiguredDriver>>;
export type Configured = { readonly agents: Readonly<Record<string, ConfiguredAgent>>; readonly drivers: Drivers };

export type Agents = (role: string) => AgentChoice | undefined;

/** `--agent` before `--agents` before the configuration; an entry for the role before one for all. */
export function agentsFrom(flags: AgentFlags, { agents, drivers }: Configured): Agents {
  const named = new Map(flags.agent.map((text) => parseFlag(text, drivers)));
  const configured = (role: string): AgentChoice | undefined => {
    const entry = agents[role];
    return entry && fromConfig(role, entry, drivers);
  };
  const scripted: AgentChoice | undefined = flags.agents
    ? { driver: "scripted", file: resolve(flags.agents) }
    : undefined;
  return (role) => named.get(role) ?? named.get("*") ?? scripted ?? configured(role) ?? configured("*");
}

/** Every role must have somebody who plays it, and can, before anything starts. */
export async function requireAgents(pipeline: Pipeline, agents: Agents): Promise<void> {
  const missing = pipeline.roles.filter((role) => !agents(role.name)).map((role) => role.name);
  if (missing.length > 0) {
    throw new SignalboxError(
      "AGENT_MISSING",
      `Nobody is configured for ${missing.length === pipeline.roles.length ? "any role" : "these roles"} of ${pipeline.name}: ${missing.join(", ")}.`,
      'Try --agent "*=codex" for all of them, --agents FILE for scripted ones, or `agents:` in .signalbox/config.yaml.',
    );
  }
  const playing = pipeline.roles.flatMap((role) => playersOf(agents(role.name)).map((choice) => ({ role, choice })));
  const choices = new Map(playing.map((each) => [describeAgent(each.choice), each]));
  for (const { role, choice } of choices.values()) {
    requireProgram(role.name, choice);
    await driverOf(choice);
  }
}

/** The first choice, and who plays instead of it, and instead of that one. */
export function playersOf(choice: AgentChoice | undefined): readonly AgentChoice[] {
  return choice ? [choice, ...playersOf(choice.instead)] : [];
}

export type DriverParts = {
  readonly limits?: ProcessLimits;
  /** Where dispatches wait for somebody outside. */
  readonly mailbox?: string;
  /** Our own walls hold whatever it starts; an agent that builds its own inside them may find that it cannot. */
  readonly contained?: boolean;
};

export async function driverOf(choice: AgentChoice, parts: DriverParts = {}): Promise<Driver> {
  const { limits = {}, mailbox = "", contained = false } = parts;
  if (choice.driver === "scripted") {
    const { readScript } = await import("../drivers/scripted/read-script.ts");
    const { scriptedDriver } = await import("../drivers/scripted/scripted-driver.ts");
    const scripts = filesOf(choice.file).map((file) => readScript(scriptText(file), file));
    return scriptedDriver({ file: choice.file, agents: scripts.flatMap(({ agents }) => agents) }, { limits });
  }
  if (choice.driver === "mailbox") {
    const { folderMailbox } = await import("../drivers/mailbox/folder-mailbox.ts");
    const { mailboxDriver } = await import("../drivers/mailbox/mailbox-driver.ts");
    const { wallMs } = limits;
    const post = { mailbox: folderMailbox({ dir: mailbox, now: Date.now }) };
    return mailboxDriver(wallMs === undefined ? post : { ...post, wallMs });
  }
  if (choice.driver === "codex") {
    const { codexDriver } = await import("../drivers/codex/codex-driver.ts");
    const [login] = loginsOf(choice);
    const sandbox = contained ? "none" : "workspace-write";
    return codexDriver({ limits, sandbox, ...(login === undefined ? {} : { login }) });
  }
  if (choice.driver === "claude") {
    const { claudeDriver } = await import("../drivers/claude/claude-driver.ts");
    const [login] = loginsOf(choice);
    return claudeDriver({ limits, ...(login === undefined ? {} : { login }) });
  }
  if (choice.driver === "acp") {
    const { acpDriver } = await import("../drivers/acp/acp-driver.ts");
    return acpDriver({ name: choice.name, profile: choice.profile, userHome: homedir(), limits });
  }
  const { commandDriver } = await import("../drivers/command/command-driver.ts");
  return commandDriver({ name: choice.argv[0] ?? "command", argv: choice.argv, limits });
}

export function describeAgent(choice: AgentChoice | undefined): string {
  if (!choice) return "nobody";
  if (choice.driver === "scripted") return `scripted by ${choice.file}`;
  const model = choice.model === undefined ? "" : `:${choice.model}`;
  return choice.driver === "command" ? choice.argv.join(" ") : `${driverName(choice)}${model}`;
}

/** As a configuration names it. */
export function driverName(choice: AgentChoice): string {
  return choice.driver === "acp" ? choice.name : choice.driver;
}

/** Where the user is logged in with this agent, as far as that is a file: it must be visible where the home is not. */
export function loginsOf(choice: AgentChoice | undefined): readonly string[] {
  const home = (variable: string, folder: string) => process.env[variable] || join(homedir(), folder);
  const places = {
    codex: () => [join(home("CODEX_HOME", ".codex"), "auth.json")],
    claude: () => [join(home("CLAUDE_CONFIG_DIR", ".claude"), ".credentials.json")],
    acp: () => (choice?.driver === "acp" ? choice.profile.login.map((path) => join(homedir(), path)) : []),
  };
  if (choice?.driver !== "codex" && choice?.driver !== "claude" && choice?.driver !== "acp") return [];
  return places[choice.driver]().filter((path) => existsSync(path));
}

function parseFlag(text: string, drivers: Drivers): [string, AgentChoice] {
  const [, role, driver, model] = /^([^=]+)=([^:]+)(?::(.+))?$/.exec(text) ?? [];
  if (role === undefined || driver === undefined) {
    throw new SignalboxError(
      "USAGE",
      `--agent "${text}" does not say who plays what.`,
      "Write --agent role=driver[:model].",
    );
  }
  const choice = chosen(driver, drivers);
  if (choice) return [role, { ...choice, ...(model === undefined ? {} : { model }) }];
  throw new SignalboxError(
    "USAGE",
    `--agent ${text}: there is no driver "${driver}" that needs no configuration.`,
    `Use ${READY.join(", ")}, or configure a command for the role under \`agents:\` in .signalbox/config.yaml.`,
  );
}

/** A driver by its name: one that is ready, or one of the configuration's own making. */
function chosen(name: string, drivers: Drivers): AgentChoice | undefined {
  if (name === "claude" || name === "codex" || name === "mailbox") return { driver: name };
  const profile = profileOf(name, drivers[name]);
  return profile?.success ? { driver: "acp", name, profile: profile.data } : undefined;
}

function fromConfig(role: string, configured: ConfiguredAgent, drivers: Drivers): AgentChoice {
  const { driver, argv, model, instead } = configured;
  const named = {
    ...(model === undefined ? {} : { model }),
    ...(instead === undefined ? {} : { instead: fromConfig(role, instead, drivers) }),
  };
  const choice = chosen(driver, drivers);
  if (choice) return { ...choice, ...named };
  if (driver !== "command") {
    const known = [...DRIVERS, ...Object.keys(drivers)];
    const close = nearest(driver, known);
    throw new SignalboxError(
      "CONFIG_INVALID",
      `The agent for ${role} in .signalbox/config.yaml has a driver "${driver}" that nobody knows.`,
      close ? `Did you mean "${close}"?` : `Use one of ${known.join(", ")}, or describe it under \`drivers:\`.`,
    );
  }
  if (argv) return { driver, argv, ...named };
  throw new SignalboxError(
    "CONFIG_INVALID",
    `The agent for ${role} in .signalbox/config.yaml is a command without argv.`,
    'Add the program and its arguments, for example argv: ["my-agent", "--quiet"].',
  );
}

/** A folder stands for all scripts in it: what `--record` leaves behind. */
function filesOf(path: string): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith(".yaml") && !name.startsWith("."));
  if (names.length === 0) {
    const hint = "Name a script, or a folder that `run --record` has filled.";
    throw new SignalboxError("SCRIPT_INVALID", `There is no agents file (*.yaml) in the folder ${path}.`, hint);
  }
  return names.sort().map((name) => join(path, name));
}

function scriptText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SignalboxError(
      "SCRIPT_INVALID",
      `The agents file cannot be read: ${why}`,
      "Name an existing file with --agents.",
      {
        cause: error,
      },
    );
  }
}

function requireProgram(role: string, choice: AgentChoice | undefined): void {
  const program = programOf(choice);
  if (program === undefined || isInstalled(program)) return;
  throw new SignalboxError(
    "AGENT_MISSING",
    `The program "${program}" for the role ${role} is not on the PATH.`,
    "Install it, correct its name in .signalbox/config.yaml, or choose another agent with --agent.",
  );
}

/** What must be on the PATH; scripted agents need nothing. */
export function programOf(choice: AgentChoice | undefined): string | undefined {
  if (choice?.driver === "codex" || choice?.driver === "claude") return choice.driver;
  if (choice?.driver === "acp") return choice.profile.command;
  return choice?.driver === "command" ? (choice.argv[0] ?? "") : undefined;
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
