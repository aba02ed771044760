import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeOwnFolder } from "../../node/own-folder.ts";
import type { SandboxMode } from "../../processes/sandbox/sandbox.ts";
import type { AgentFlags } from "../agents/agents.ts";
import type { RepositoryPlaces } from "../project/repository.ts";

/** Start options that are not in the journal: agents and sandbox. */
export type StartNotes = {
  readonly agents: AgentFlags;
  readonly sandbox?: SandboxMode;
};

/** Stores the start options beside the run, so that `resume` needs no flags. */
export async function writeStartNotes(places: RepositoryPlaces, run: string, notes: StartNotes): Promise<void> {
  makeOwnFolder(join(places.runs, run));
  const { agent, agents: file } = notes.agents;
  const agents = { agent, ...(file === undefined ? {} : { agents: resolve(file) }) };
  await writeFile(getNotesFile(places, run), JSON.stringify({ ...notes, agents }));
}

/** Returns undefined if the file is gone; its content can be given again or omitted. */
export async function readStartNotes(places: RepositoryPlaces, run: string): Promise<StartNotes | undefined> {
  try {
    // The file is written only by this module.
    return JSON.parse(await readFile(getNotesFile(places, run), "utf8")) as StartNotes;
  } catch {
    return undefined;
  }
}

const getNotesFile = (places: RepositoryPlaces, run: string): string => join(places.runs, run, "start.json");
