import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { SandboxMode } from "../processes/sandbox.ts";
import type { AgentFlags } from "./agents.ts";
import type { RepositoryPlaces } from "./repository.ts";

/** What is known when a run is started and its journal does not have: who plays, in what, and which phases are declared. */
export type StartNotes = {
  readonly agents: AgentFlags;
  readonly phases: readonly string[];
  readonly sandbox?: SandboxMode;
};

/** Kept beside the run, so that `resume` needs no flags and `status` needs no code of the pipeline. */
export async function keepNotes(places: RepositoryPlaces, run: string, notes: StartNotes): Promise<void> {
  await mkdir(join(places.runs, run), { recursive: true });
  const { agent, agents: file } = notes.agents;
  const agents = { agent, ...(file === undefined ? {} : { agents: resolve(file) }) };
  await writeFile(fileOf(places, run), JSON.stringify({ ...notes, agents }));
}

/** Undefined where they are gone: everything in them can be said again or done without. */
export async function readNotes(places: RepositoryPlaces, run: string): Promise<StartNotes | undefined> {
  try {
    // Written above and by nobody else.
    return JSON.parse(await readFile(fileOf(places, run), "utf8")) as StartNotes;
  } catch {
    return undefined;
  }
}

const fileOf = (places: RepositoryPlaces, run: string): string => join(places.runs, run, "start.json");
