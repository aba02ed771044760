import { readRepositoryName } from "../../workspace/remote/remote.ts";

export const DEFAULT_REMOTE = "origin";

/** The remote that transfers this clone's work, and the repository's name shared by all clones. */
export type SharedRepository = { readonly remote: string; readonly name: string };

export async function resolveSharedRepository(top: string, remote = DEFAULT_REMOTE): Promise<SharedRepository> {
  return { remote, name: await readRepositoryName(top, remote) };
}
