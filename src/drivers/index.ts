import { type AcpProgram, adjustProgram, isAcpProgram, parseProfile } from "./acp/acp-program.ts";
import { COPILOT } from "./acp/profiles/copilot.ts";
import { GEMINI } from "./acp/profiles/gemini.ts";
import { GOOSE } from "./acp/profiles/goose.ts";
import { KIMI } from "./acp/profiles/kimi.ts";
import { OPENCODE } from "./acp/profiles/opencode.ts";
import { QWEN } from "./acp/profiles/qwen.ts";
import { CLAUDE } from "./claude/index.ts";
import { CODEX } from "./codex/index.ts";
import { COMMAND } from "./command/index.ts";
import type { DriverDescriptor } from "./descriptor.ts";
import { MAILBOX } from "./mailbox/index.ts";

/**
 * All drivers that a configuration can name, in the order in which they are offered. A new driver is one more entry.
 */
export const DRIVERS: readonly DriverDescriptor[] = [
  ...[CLAUDE, CODEX, GEMINI, OPENCODE, COPILOT, GOOSE, QWEN, KIMI],
  ...[MAILBOX, COMMAND],
];

/** A program that can be installed and is searched on the PATH. */
export type AgentProgram = DriverDescriptor & Required<Pick<DriverDescriptor, "program" | "install">>;

export function isAgentProgram(driver: DriverDescriptor): driver is AgentProgram {
  return driver.program !== undefined && driver.install !== undefined;
}

export const AGENT_PROGRAMS: readonly AgentProgram[] = DRIVERS.filter(isAgentProgram);

type ConfiguredDriver = Readonly<Record<string, unknown>> | undefined;

/** Returns the driver of a name: a built-in one, or an ACP program described under `drivers:` of the configuration. */
export function selectDriver(name: string, configured: ConfiguredDriver): DriverDescriptor | undefined {
  const known = DRIVERS.find((driver) => driver.name === name);
  const program = findProgram(name);
  // A driver that needs an `argv` may be replaced by one that the configuration describes under its name.
  if (configured === undefined || (known && !program && !known.ofArgv)) return known;
  const { data: profile } = parseProfile(program, configured);
  return profile && adjustProgram(name, profile, program);
}

/** Returns the validation problems of an entry of `drivers:`. */
export function listDriverProblems(name: string, configured: NonNullable<ConfiguredDriver>) {
  return parseProfile(findProgram(name), configured).error?.issues ?? [];
}

function findProgram(name: string): AcpProgram | undefined {
  return DRIVERS.filter(isAcpProgram).find((driver) => driver.name === name);
}
