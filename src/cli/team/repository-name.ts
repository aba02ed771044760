import { repositoryNameAt } from "../../workspace/remote/remote.ts";

export const DEFAULT_REMOTE = "origin";

/** Over what the work of this clone travels, and how all clones of the repository call it. */
export type SharedRepository = { readonly remote: string; readonly name: string };

export async function sharedRepository(top: string, remote = DEFAULT_REMOTE): Promise<SharedRepository> {
  return { remote, name: await repositoryNameAt(top, remote) };
}
