import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { BUILT_IN } from "../../pipelines/index.ts";
import { type AgentFile, filesFor } from "./agent-files.ts";

/** So many roles make a set, and so large a part of a pipeline's roles makes it that pipeline's. */
const FEWEST_IN_A_SET = 4;
const MOST_OF_IT = 2 / 3;

/**
 * Says of each file for which built-in pipelines it is not meant. A folder that holds nearly all agents of one pipeline
 * is that pipeline's set: its Planner plans for the others of the set, and would make another team's planner useless.
 * A file that names its pipelines in its head is for these and nobody else.
 */
export async function withSets(files: readonly AgentFile[]): Promise<readonly AgentFile[]> {
  if (files.length === 0) return files;
  const known = await Promise.all(Object.values(BUILT_IN).map((load) => load()));
  return [...Map.groupBy(files, ({ folder }) => folder).values()].flatMap((folder) => inFolder(folder, known));
}

function inFolder(files: readonly AgentFile[], known: readonly Pipeline[]): readonly AgentFile[] {
  const sets = known.filter(({ roles }) => {
    const played = roles.filter((role) => filesFor(files, role).length > 0).length;
    return played >= FEWEST_IN_A_SET && played >= roles.length * MOST_OF_IT;
  });
  return files.map((file) => {
    const owners = sets.filter((pipeline) => isIn(file, pipeline)).map(({ name }) => name);
    const notFor =
      owners.length === 0 ? [] : known.filter(({ name }) => !owners.includes(name)).map(({ name }) => name);
    return notFor.length === 0 ? file : { ...file, owners, notFor };
  });
}

const isIn = (file: AgentFile, { roles }: Pipeline): boolean => roles.some((role) => filesFor([file], role).length > 0);

/** Why a file that has a role's name does not count for a pipeline; undefined where it does. */
export function strangerTo(file: AgentFile, pipeline: string): string | undefined {
  if (file.pipelines) return file.pipelines.includes(pipeline) ? undefined : `it is for ${file.pipelines.join(", ")}`;
  return file.notFor?.includes(pipeline) ? `its folder holds the agents of ${file.owners?.join(", ")}` : undefined;
}
