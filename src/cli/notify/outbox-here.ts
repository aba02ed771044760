import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownerIsDead, ownerName } from "../../hosts/sqlite/owner.ts";
import { type Outbox, openOutbox } from "../../surfaces/webhooks/outbox.ts";
import type { RepositoryPlaces } from "../project/repository.ts";

/** Beside the database of the runs that it is about. */
export function outboxHere({ own }: Pick<RepositoryPlaces, "own">): Outbox {
  return openOutbox({ file: fileIn(own), owner: ownerName(), now: Date.now, isDead: ownerIsDead });
}

/** Where nobody was ever to be told, there is none. */
export function hasOutbox({ own }: Pick<RepositoryPlaces, "own">): boolean {
  return existsSync(fileIn(own));
}

const fileIn = (own: string): string => join(own, "notices.db");
