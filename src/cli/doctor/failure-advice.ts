import type { Failure } from "../../core/failure/failure.ts";
import { getLoginCommand } from "../agents/agent-login.ts";
import { type AgentChoice, findAgentProgram, isInstalled } from "../agents/agents.ts";

const HIDDEN =
  "it is on the PATH, but a program it starts is not visible in the sandbox: add that program's folder to the PATH, or try `sandbox: off`";

/** Returns the next step for a person after an agent failed to answer. */
export function suggestAfterFailure(choice: AgentChoice, { code, wakeAt }: Failure): string {
  const { name, program = name } = choice.driver;
  const known = findAgentProgram(choice);
  const byHand = `run \`${program}\` manually and check that it answers`;
  const steps: Readonly<Record<string, string | undefined>> = {
    auth: getLoginCommand(choice),
    agent_missing: isInstalled(program) ? HIDDEN : (known?.install ?? `put ${program} on the PATH`),
    agent_usage: known?.tried && `this version may be too old or too new: ${known.tried} is the tested version`,
    quota: `wait${wakeAt === undefined ? "" : ` until ${formatUtcMinute(wakeAt)}`}, or assign its roles to another agent`,
    rate_limit: "retry in a few minutes",
    overloaded: "retry in a few minutes",
    connection: "check the network, HTTPS_PROXY, and the model's base URL if you have set one",
    model_unavailable: suggestOtherModel(choice),
    model_refused: "check the model's name and the models available to your account",
  };
  return steps[code] ?? byHand;
}

function suggestOtherModel(choice: AgentChoice): string {
  const unknown =
    choice.model === undefined ? "" : `"${choice.model}" does not exist or is not available to your account: `;
  const flag = `--agent ROLE=${choice.driver.name}:MODEL`;
  return `${unknown}set another model under \`agents\` in .signalbox/config.yaml, or with ${flag}`;
}

function formatUtcMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
