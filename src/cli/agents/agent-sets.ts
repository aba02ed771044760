import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { BUILT_IN } from "../../pipelines/index.ts";
import { type AgentFile, selectAgentFiles } from "./agent-files.ts";

/** A folder is a pipeline's agent set if it covers at least this many and at least this share of its roles. */
const MIN_SET_SIZE = 4;
const MIN_SET_SHARE = 2 / 3;

/**
 * Marks the built-in pipelines that each file is not used for. A folder that holds most agents of one pipeline is that
 * pipeline's set: its Planner plans for the other agents of the set, and would make another pipeline's planner useless.
 * A file that names its pipelines in the front matter applies to these only.
 */
export async function markAgentSets(files: readonly AgentFile[]): Promise<readonly AgentFile[]> {
  if (files.length === 0) return files;
  const known = await Promise.all(Object.values(BUILT_IN).map((load) => load()));
  return [...Map.groupBy(files, ({ folder }) => folder).values()].flatMap((folder) => markFolder(folder, known));
}

function markFolder(files: readonly AgentFile[], known: readonly Pipeline[]): readonly AgentFile[] {
  const sets = known.filter(({ roles }) => {
    const played = roles.filter((role) => selectAgentFiles(files, role).length > 0).length;
    return played >= MIN_SET_SIZE && played >= roles.length * MIN_SET_SHARE;
  });
  return files.map((file) => {
    const owners = sets.filter((pipeline) => isAgentOf(file, pipeline)).map(({ name }) => name);
    const notFor =
      owners.length === 0 ? [] : known.filter(({ name }) => !owners.includes(name)).map(({ name }) => name);
    return notFor.length === 0 ? file : { ...file, owners, notFor };
  });
}

const isAgentOf = (file: AgentFile, { roles }: Pipeline): boolean =>
  roles.some((role) => selectAgentFiles([file], role).length > 0);

/** Returns the reason why a file with a matching name is not used for a pipeline, or undefined if it is used. */
export function explainExclusion(file: AgentFile, pipeline: string): string | undefined {
  if (file.pipelines)
    return file.pipelines.includes(pipeline) ? undefined : `it applies only to ${file.pipelines.join(", ")}`;
  return file.notFor?.includes(pipeline) ? `its folder contains the agents of ${file.owners?.join(", ")}` : undefined;
}
