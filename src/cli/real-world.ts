import { hash, randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { World } from "../core/ports/world.ts";
import { createRedactor } from "./secrets/redactor.ts";

/** Node fires a timer at once if its delay is longer than this. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createRealWorld(env: NodeJS.ProcessEnv = process.env): World {
  return {
    now: Date.now,
    newId: () => randomBytes(10).toString("hex"),
    random: Math.random,
    async sleep(ms, signal) {
      let left = ms;
      do {
        // An abort ends the wait without an error.
        await wait(Math.min(left, MAX_TIMER_MS), undefined, signal ? { signal } : {}).catch(() => undefined);
        left -= MAX_TIMER_MS;
      } while (left > 0 && !signal?.aborted);
    },
    hash: (text) => hash("sha256", text),
    redact: createRedactor(env),
  };
}
