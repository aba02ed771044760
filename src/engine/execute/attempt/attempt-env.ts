import type { Effect } from "../../../core/journal/effect.ts";
import type { ExecutorDeps } from "../executor.ts";

export type AttemptEnv = { readonly variables: Readonly<Record<string, string>>; release(): void };

/**
 * Returns variables that keep servers and databases of parallel work apart: a block of ports, and a name that databases
 * and containers accept. The name follows from the id of an attempt or of one start of a check, so a database left by a
 * killed one does not conflict.
 */
export async function createAttemptEnv(
  { ports, world }: ExecutorDeps,
  { id }: Pick<Effect, "id">,
): Promise<AttemptEnv> {
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
