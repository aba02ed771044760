import { QUOTA_CODE } from "../../core/budget/quota.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { Usage } from "../../core/journal/effect.ts";
import type { AgentEvent, DispatchOrder, Driver } from "../../core/ports/driver.ts";
import type { ProcessLimits } from "../../core/ports/processes.ts";
import { environmentOf } from "../environment.ts";
import { locateProgram } from "../locate-program.ts";
import { failureOfExit, incomplete } from "../outcome.ts";
import { adoptTurn, type Reader, runTurn } from "../turn.ts";
import type { AgentOutput } from "./agent.ts";
import { findRule, formatDispatch } from "./match.ts";
import type { Script } from "./script.ts";
import { createScriptedTurn, type ScriptedTurn } from "./scripted-turn.ts";

export type ScriptedOptions = { readonly limits?: ProcessLimits };

/** Driver for agents that follow a script: real processes without a model, for demos, tests and simulation. */
export function createScriptedDriver(script: Script, options: ScriptedOptions = {}): Driver {
  return {
    name: "scripted",
    can: { schema: false, resume: false, cost: true, permissions: false, cancel: false },
    dispatch(order, processes, signal) {
      const play = selectTurn(script, order);
      if ("failure" in play) return yieldEvent({ type: "turn.failed", failure: play.failure });
      const program = () => ({
        command: process.execPath,
        args: [AGENT.file],
        env: environmentOf(order, { set: AGENT.env }),
        stdin: JSON.stringify(play),
      });
      const reading = createScriptReader(findUsage(script, order));
      return runTurn({ agent: AGENT_NAME, order, processes, signal, program, reader: reading, ...options });
    },
    adopt: (order, processes) =>
      adoptTurn({ agent: AGENT_NAME, order, processes, reader: createScriptReader(findUsage(script, order)) }),
  };
}

const AGENT_NAME = "The scripted agent";

const AGENT = locateProgram("agent", import.meta.url);

async function* yieldEvent(event: AgentEvent): AsyncGenerator<AgentEvent> {
  yield event;
}

/** A dispatch that no rule matches, or whose output does not fit the dialect, fails deterministically. */
function selectTurn(script: Script, order: DispatchOrder): ScriptedTurn | { readonly failure: Failure } {
  const rule = findRule(script, order);
  if (!rule) {
    return createUnscriptedFailure(
      `No rule of ${script.file} matches this dispatch (${formatDispatch(order)}). Add one, or end the file with a rule for role "*".`,
    );
  }
  try {
    return createScriptedTurn(rule, order);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return createUnscriptedFailure(
      `Rule ${script.agents.indexOf(rule) + 1} of ${script.file} has no valid output for this dispatch (${formatDispatch(order)}): ${why}`,
    );
  }
}

function createUnscriptedFailure(message: string): { readonly failure: Failure } {
  return { failure: { class: "deterministic", code: "agent_unscripted", message } };
}

const FREE: Usage = { usd: 0, inputTokens: 0, outputTokens: 0 };

/** Amounts that the script omits are unknown. */
function findUsage(script: Script, order: DispatchOrder): Usage {
  const usage = findRule(script, order)?.usage;
  if (!usage) return FREE;
  return Object.fromEntries(Object.entries(usage).filter(([, amount]) => amount !== undefined));
}

function createScriptReader(usage: Usage): Reader {
  let text: string | undefined;
  let refusal: Failure | undefined;
  return {
    line(line) {
      const output = parseOutput(line);
      if (output?.said === "answer") {
        text = output.text;
        return [{ type: "message.added", text }];
      }
      if (output?.said === "throttled") {
        refusal = createThrottledFailure(output.message);
        return [{ type: "turn.throttled", message: output.message }];
      }
      if (output?.said === "used up") {
        refusal = createQuotaFailure(output.wakeAt);
        return [];
      }
      return output ? [{ type: "tool.used", name: output.name, detail: output.detail }] : [];
    },
    end(exit) {
      const failure = refusal ?? failureOfExit(AGENT_NAME, exit);
      if (failure) return { type: "turn.failed", failure, usage };
      if (text === undefined) return { type: "turn.failed", failure: incomplete(AGENT_NAME, exit), usage };
      return { type: "turn.finished", text, usage };
    },
  };
}

function createThrottledFailure(message: string): Failure {
  return {
    class: "transient",
    code: "agent_throttled",
    message: `The model refused ${AGENT_NAME}: ${message}.`,
  };
}

function createQuotaFailure(wakeAt: number): Failure {
  const message = `${AGENT_NAME} has exhausted its usage window.`;
  return { class: "deterministic", code: QUOTA_CODE, message, wakeAt };
}

/** Parses a line of our agent program. Returns undefined for any other output. */
function parseOutput(line: string): AgentOutput | undefined {
  if (!line.startsWith('{"said":')) return undefined;
  try {
    // Lines that start this way come from our own agent program.
    return JSON.parse(line) as AgentOutput;
  } catch {
    return undefined;
  }
}
