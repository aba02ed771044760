import type { Pipeline } from "../../src/core/authoring/pipeline.ts";
import type { AttemptRequest, Effect } from "../../src/core/journal/effect.ts";
import type { Driver } from "../../src/core/ports/driver.ts";
import { listLongParts } from "../../src/engine/execute/attempt/input-parts.ts";
import { formatPrompt } from "../../src/engine/execute/attempt/prompt.ts";
import { deduplicateInput } from "../../src/engine/execute/attempt/prompt-input.ts";
import type { Scenario } from "../support/answers/scenario.ts";
import { scenarios } from "../support/answers.ts";
import { playScenario } from "../support/play-scenario.ts";

/** The prompt of one dispatch of a scenario. */
export type Prompt = {
  readonly role: string;
  readonly writes: boolean;
  readonly round: number;
  readonly request: AttemptRequest;
  readonly text: string;
  /** The same prompt, in an environment with its own ports and name. */
  readonly textApart: string;
};

export type PipelinePrompts = {
  readonly pipeline: Pipeline;
  /** Every dispatch by scenario, in order of its start. */
  readonly runs: readonly { readonly name: string; readonly prompts: readonly Prompt[] }[];
};

/** Collects the prompts of all scenarios, as an agent without its own definition gets them. */
export async function allPrompts(): Promise<readonly PipelinePrompts[]> {
  const byPipeline = [...Map.groupBy(scenarios, ({ pipeline }) => pipeline)];
  return Promise.all(
    byPipeline.map(async ([pipeline, some]) => ({ pipeline, runs: await Promise.all(some.map(collectPrompts)) })),
  );
}

async function collectPrompts(scenario: Scenario) {
  const requests: AttemptRequest[] = [];
  const perform = (effect: Effect): unknown => {
    if (effect.kind === "attempt") requests.push(effect.request);
    return scenario.perform(effect);
  };
  await playScenario({ ...scenario, perform });
  return { name: scenario.name, prompts: requests.map((request) => promptOf(scenario.pipeline, request)) };
}

function promptOf({ roles, dialect }: Pipeline, request: AttemptRequest): Prompt {
  const role = roles.find(({ name }) => name === request.role);
  if (!role) throw new Error(`no role ${request.role}`);
  // The driver is only asked whether the agent runs outside the engine's process.
  const definition = { prompt: role.prompt ?? role.does, driver: {} as Driver, from: "built in" };
  const laid = { paths: [], logs: [], input: listLongParts(deduplicateInput(request.input)) };
  const parts = { definition, role, request: { ...request, nonce: NONCE }, dialect, laid };
  const [text, textApart] = [formatPrompt(parts), formatPrompt({ ...parts, variables: APART })];
  return { role: role.name, writes: role.writes, round: request.round, request, text, textApart };
}

const APART = { SIGNALBOX_NAME: "sb_1", SIGNALBOX_PORT_BASE: "20000" };
const NONCE = "a1b2c3d4";
