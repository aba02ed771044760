import { createHash, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { World } from "../core/ports/world.ts";

/** Uses the real clock, because the tests run real processes. */
export const testWorld: World = {
  now: () => Date.now(),
  newId: () => randomUUID().replaceAll("-", ""),
  random: () => Math.random(),
  sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
  hash: (text) => createHash("sha256").update(text).digest("hex"),
  redact: (text) => text,
};
