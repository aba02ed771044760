import { findRepository } from "../repository/repository.ts";
import { openRemote } from "./remote.ts";

/**
 * Lists refs and makes a dry-run push to find out whether a team can share work through the remote. Changes nothing;
 * returns its address.
 */
export async function probeRemote(repo: string, name: string): Promise<string> {
  const remote = await openRemote(await findRepository(repo), name);
  await remote.list(["refs/signalbox/*"]);
  await remote.tryPush("refs/signalbox/doctor");
  return remote.shown;
}
