import type { Failure } from "../../core/failure/failure.ts";
import { howToLogIn } from "../agents/agent-login.ts";
import { type AgentChoice, isInstalled, knownProgram } from "../agents/agents.ts";

const HIDDEN = "it is on the PATH, but what it starts is not: add that folder to the PATH, or try `sandbox: off`";

/** What a person does next about an agent that did not answer. */
export function afterFailure(choice: AgentChoice, { code, wakeAt }: Failure): string {
  const { name, program = name } = choice.driver;
  const known = knownProgram(choice);
  const byHand = `start \`${program}\` by hand and see whether it answers there`;
  const steps: Readonly<Record<string, string | undefined>> = {
    auth: howToLogIn(choice),
    agent_missing: isInstalled(program) ? HIDDEN : (known?.install ?? `put ${program} on the PATH`),
    agent_usage: known?.tried && `this version may be too old or too new: ${known.tried} is the one that was tried`,
    quota: `wait${wakeAt === undefined ? "" : ` until ${moment(wakeAt)}`}, or give its roles to another agent`,
    rate_limit: "wait a little and ask again",
    overloaded: "wait a little and ask again",
    connection: "look at the network, at HTTPS_PROXY, and at the address of the model if you have set one",
    model_unavailable: otherModel(choice),
    model_refused: "look at the name of the model and at what your account may use",
  };
  return steps[code] ?? byHand;
}

function otherModel(choice: AgentChoice): string {
  const unknown = choice.model === undefined ? "" : `"${choice.model}" is not known there, or not for your account: `;
  const flag = `--agent ROLE=${choice.driver.name}:MODEL`;
  return `${unknown}name another model under \`agents\` in .signalbox/config.yaml, or with ${flag}`;
}

function moment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
