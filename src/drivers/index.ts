import { type AcpProgram, adjustedProgram, isAcpProgram, profileWith } from "./acp/acp-program.ts";
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

/** All that a configuration can name, in the order in which they are offered. Another driver is one more line. */
export const DRIVERS: readonly DriverDescriptor[] = [
  ...[CLAUDE, CODEX, GEMINI, OPENCODE, COPILOT, GOOSE, QWEN, KIMI],
  ...[MAILBOX, COMMAND],
];

/** A program that can be installed, and is looked for on the PATH. */
export type AgentProgram = DriverDescriptor & Required<Pick<DriverDescriptor, "program" | "install">>;

export function isAgentProgram(driver: DriverDescriptor): driver is AgentProgram {
  return driver.program !== undefined && driver.install !== undefined;
}

export const AGENT_PROGRAMS: readonly AgentProgram[] = DRIVERS.filter(isAgentProgram);

type Said = Readonly<Record<string, unknown>> | undefined;

/** A driver by its name: one of ours, or a program of the protocol as `drivers:` of a configuration describes it. */
export function driverNamed(name: string, said: Said): DriverDescriptor | undefined {
  const known = DRIVERS.find((driver) => driver.name === name);
  const program = programNamed(name);
  // What is nobody without an `argv` leaves its name to whom the configuration describes.
  if (said === undefined || (known && !program && !known.ofArgv)) return known;
  const { data: profile } = profileWith(program, said);
  return profile && adjustedProgram(name, profile, program);
}

/** What is wrong with an entry of `drivers:`. */
export function problemsOfDriver(name: string, said: NonNullable<Said>) {
  return profileWith(programNamed(name), said).error?.issues ?? [];
}

function programNamed(name: string): AcpProgram | undefined {
  return DRIVERS.filter(isAcpProgram).find((driver) => driver.name === name);
}
