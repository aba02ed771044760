import type { Pipeline } from "../../../core/authoring/pipeline.ts";
import type { World } from "../../../core/ports/world.ts";
import { DRIVERS } from "../../../drivers/index.ts";
import { hashPipeline } from "../../../engine/replay/pipeline-hash.ts";
import { type AgentChoice, type AgentLookup, isInstalled } from "../../agents/agents.ts";
import type { OwnDrivers } from "../../agents/own-drivers.ts";
import type { PipelineSource } from "../../pipelines/pipelines.ts";
import { readVersion } from "../../program.ts";

const HASH_DIGITS = 12;

/**
 * Returns the label for a pipeline's exact code. A worker must have the same body, and for a built-in pipeline the same
 * package version.
 */
export function getPipelineLabel(world: Pick<World, "hash">, { pipeline, from }: PipelineSource): string {
  const body = hashPipeline(world, pipeline);
  const code = from === "built in" ? world.hash(`${body} ${readVersion()}`) : body;
  return `pipeline:${pipeline.name}@${code.slice(0, HASH_DIGITS)}`;
}

/** Finds the registry entry of a pipeline, for its label. */
export function findPipelineSource(sources: readonly PipelineSource[], { name }: Pipeline): PipelineSource {
  const found = sources.find(({ pipeline }) => pipeline.name === name);
  if (!found) throw new Error(`the pipeline ${name} was not read`);
  return found;
}

/** Lists the labels that a worker must offer to run an attempt of the role. */
export function listAttemptLabels(agents: AgentLookup, role: string, instead = 0): readonly string[] {
  const choice = getFallback(agents(role), instead);
  return choice ? [`agent:${choice.driver.name}`, ...(choice.labels ?? [])] : [];
}

function getFallback(choice: AgentChoice | undefined, instead: number): AgentChoice | undefined {
  return instead === 0 || !choice?.instead ? choice : getFallback(choice.instead, instead - 1);
}

type OfferInputs = {
  readonly world: Pick<World, "hash">;
  readonly pipelines: readonly PipelineSource[];
  readonly drivers: OwnDrivers;
  readonly sandbox: string;
  readonly memoryBytes: number;
  readonly labels: readonly string[];
};

/** Lists the labels that this worker offers: installed agents, pipelines that it can replay, and configured labels. */
export function listOfferedLabels({
  world,
  pipelines,
  drivers,
  sandbox,
  memoryBytes,
  labels,
}: OfferInputs): readonly string[] {
  const ready = DRIVERS.filter(({ program }) => program === undefined || isInstalled(program));
  return [
    ...[...ready, ...drivers.all].map(({ name }) => `agent:${name}`),
    "agent:scripted",
    `sandbox:${sandbox}`,
    `memory:${Math.floor(memoryBytes / 2 ** 30)}`,
    ...pipelines.map((source) => getPipelineLabel(world, source)),
    ...labels,
  ];
}
