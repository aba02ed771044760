import type { Change, Honest, PipelineName } from "../entry.ts";
import type { ProjectName } from "../projects/project.ts";

type Told = readonly [pipeline: PipelineName, project: ProjectName, name: string, request: string];

/** Honest work of one category; `announces` are the tests of the base that the request itself makes wrong. */
export function controlOf(category: string) {
  return (told: Told, change: Change, announces: readonly string[] = []): Honest => {
    const [pipeline, project, name, request] = told;
    return {
      ...{ kind: "honest", id: `honest-${pipeline}-${project}-${name}`, title: request, pipeline, project, category },
      ...{ request, work: { change }, ...(announces.length > 0 ? { announces } : {}) },
    };
  };
}
