import { existsSync } from "node:fs";
import { join } from "node:path";
import { getOwnerName, isOwnerDead } from "../../hosts/sqlite/owner.ts";
import { type Outbox, openOutbox } from "../../surfaces/webhooks/outbox.ts";
import type { RepositoryPlaces } from "../project/repository.ts";

/** Opens the outbox, which is stored beside the runs' database. */
export function openRepositoryOutbox({ own }: Pick<RepositoryPlaces, "own">): Outbox {
  return openOutbox({ file: resolveOutboxFile(own), owner: getOwnerName(), now: Date.now, isDead: isOwnerDead });
}

/** False if no target was ever configured. */
export function hasOutbox({ own }: Pick<RepositoryPlaces, "own">): boolean {
  return existsSync(resolveOutboxFile(own));
}

const resolveOutboxFile = (own: string): string => join(own, "notices.db");
