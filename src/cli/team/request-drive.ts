import { readTeamNotes } from "./notes.ts";
import type { TeamRunStore } from "./team-store.ts";

/** Resumes a suspended run on any worker that offers what it needs. */
export async function requestDrive({ team: { store } }: TeamRunStore, run: string): Promise<void> {
  await store.submit(run, readTeamNotes(run, await store.notes.get(run)).needs);
}
