import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { World } from "../../core/ports/world.ts";

export type HeldWorld = World & { advance(ms: number): void };

/** The text that this world redacts. */
export const SECRET = "sesame-8f2c";

const START = Date.UTC(2030, 0, 1);

/** A world whose clock moves only when a test advances it. */
export function createHeldWorld(): HeldWorld {
  let now = START;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    newId: () => randomUUID(),
    random: () => 0.5,
    sleep: (ms, signal) => delay(ms, undefined, signal && { signal }).catch(() => undefined),
    hash: (text) => createHash("sha256").update(text).digest("hex"),
    redact: (text) => text.replaceAll(SECRET, "[redacted]"),
  };
}
