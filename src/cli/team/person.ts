import { getUserName } from "../project/git-identity.ts";
import type { RunStore } from "../runs/run-store.ts";

/** Returns the author of a message: in a team the database role, otherwise the local user. */
export function getPersonName({ team }: Pick<RunStore, "team">): string {
  return team?.store.role ?? getUserName();
}
