import type { Effect } from "../../../core/journal/effect.ts";
import type { ExecutorParts } from "../executor.ts";

export type AttemptEnv = { readonly variables: Readonly<Record<string, string>>; release(): void };

/**
 * What keeps the servers and databases of those that work at the same time apart: a block of ports, and a name that
 * databases and containers accept. The name follows from the id, an attempt's or that of one start of a check: a database
 * that a killed one left is in nobody's way.
 */
export async function attemptEnv({ ports, world }: ExecutorParts, { id }: Pick<Effect, "id">): Promise<AttemptEnv> {
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
