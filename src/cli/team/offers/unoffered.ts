import type { Pipeline } from "../../../core/authoring/pipeline.ts";
import type { World } from "../../../core/ports/world.ts";
import type { AgentLookup } from "../../agents/agents.ts";
import type { Project } from "../../project/project.ts";
import type { Settings } from "../../project/settings.ts";
import { findPipelineSource, getPipelineLabel, listAttemptLabels } from "./labels.ts";
import { findShortages, formatShortage, type Shortage, type TeamState } from "./shortage.ts";

export type IntendedRun = {
  readonly project: Pick<Project, "pipelines">;
  readonly pipeline: Pipeline;
  readonly agents: AgentLookup;
  readonly settings: Pick<Settings, "team">;
};

type Workers = Pick<TeamState, "workers" | "repo"> & { readonly world: Pick<World, "hash"> };

export type UnofferedNeed = { readonly says: string; readonly missing: readonly string[] };

/** Lists what a run of this pipeline would wait for because no live worker offers it. Equal shortages are merged. */
export function listUnofferedNeeds(intended: IntendedRun, { workers, repo, world }: Workers): readonly UnofferedNeed[] {
  const { project, pipeline, agents, settings } = intended;
  const findUnoffered = (of: Shortage["of"], needs: readonly string[]): UnofferedNeed | undefined => {
    const kind = of === "run" ? ("run" as const) : ("effect" as const);
    const [shortage] = findShortages({ tasks: [{ kind, needs, worker: null }], workers, repo });
    return shortage && { says: formatShortage(shortage), missing: shortage.missing };
  };
  const label = getPipelineLabel(world, findPipelineSource(project.pipelines.all, pipeline));
  const driven = findUnoffered("run", [label, ...(settings.team.labels ?? [])]);
  // A single line suffices if there is no worker.
  if (driven !== undefined && workers.length === 0) return [driven];
  const waiting = pipeline.roles.flatMap(({ name }) => {
    const lack = findUnoffered("agent", listAttemptLabels(agents, name));
    return lack ? [{ name, ...lack }] : [];
  });
  const played = [...Map.groupBy(waiting, ({ says }) => says)].map(([says, of]) => ({
    says: `${of.map(({ name }) => name).join(", ")}: ${says}`,
    missing: of.flatMap(({ missing }) => missing),
  }));
  return [...(driven === undefined ? [] : [driven]), ...played];
}
