import { userName } from "../project/git-identity.ts";
import type { RunStore } from "../runs/run-store.ts";

/** Who says something about a run: in a team whoever the database knows, otherwise whoever is signed in here. */
export function personOf({ team }: Pick<RunStore, "team">): string {
  return team?.store.role ?? userName();
}
