import type { Effect } from "../../core/effect.ts";
import type { PerformerParts } from "./performer.ts";

export type OwnVariables = { readonly variables: Readonly<Record<string, string>>; release(): void };

/**
 * What keeps the servers and databases of those that work at the same time apart: a block of ports, and a name that
 * databases and containers accept. The name follows from the effect, so the same attempt always has the same one.
 */
export async function ownVariables({ ports, world }: PerformerParts, { id }: Effect): Promise<OwnVariables> {
  const block = await ports?.take(id);
  return {
    variables: {
      SIGNALBOX_NAME: `sb_${world.hash(id).slice(0, NAME_DIGITS)}`,
      ...(block ? { SIGNALBOX_PORT_BASE: String(block.base) } : {}),
    },
    release: () => block?.release(),
  };
}

const NAME_DIGITS = 16;
