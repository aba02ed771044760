import { findRepository } from "../repository/repository.ts";
import { openRemote } from "./remote.ts";

/** Reads and asks to write, and changes nothing; throws what keeps a team's work from travelling. Gives its address. */
export async function probeRemote(repo: string, name: string): Promise<string> {
  const remote = await openRemote(await findRepository(repo), name);
  await remote.list(["refs/signalbox/*"]);
  await remote.tryPush("refs/signalbox/doctor");
  return remote.shown;
}
