import { hash, randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { World } from "../core/ports/world.ts";
import { redactor } from "./secrets/redactor.ts";

/** A timer of Node that is set for longer goes off at once. */
const LONGEST_MS = 2 ** 31 - 1;

export function realWorld(env: NodeJS.ProcessEnv = process.env): World {
  return {
    now: Date.now,
    newId: () => randomBytes(10).toString("hex"),
    random: Math.random,
    async sleep(ms, signal) {
      let left = ms;
      do {
        // An aborted wait is one that was long enough.
        await wait(Math.min(left, LONGEST_MS), undefined, signal ? { signal } : {}).catch(() => undefined);
        left -= LONGEST_MS;
      } while (left > 0 && !signal?.aborted);
    },
    hash: (text) => hash("sha256", text),
    redact: redactor(env),
  };
}
