import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeOwnFolder } from "../../node/own-folder.ts";
import type { SandboxMode } from "../../processes/sandbox/sandbox.ts";
import type { AgentFlags } from "../agents/agents.ts";
import type { RepositoryPlaces } from "../project/repository.ts";

/** What is known when a run is started and its journal does not have: who plays, and in what. */
export type StartNotes = {
  readonly agents: AgentFlags;
  readonly sandbox?: SandboxMode;
};

/** Kept beside the run, so that `resume` needs no flags. */
export async function keepNotes(places: RepositoryPlaces, run: string, notes: StartNotes): Promise<void> {
  makeOwnFolder(join(places.runs, run));
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
