import type { Pipeline } from "../../core/authoring/pipeline.ts";
import type { World } from "../../core/ports/world.ts";

/** Hashes the text of the body, its version and its phases: enough to detect changed code later. */
export function hashPipeline(world: Pick<World, "hash">, pipeline: Pipeline): string {
  const phases = pipeline.phases.map((phase) => phase.title);
  return world.hash([pipeline.name, pipeline.version, ...phases, String(pipeline.body)].join("\n")).slice(0, 16);
}
