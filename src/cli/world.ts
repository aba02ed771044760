import { hash, randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { World } from "../core/ports/world.ts";
import { redactor } from "./redactor.ts";

export function realWorld(env: NodeJS.ProcessEnv = process.env): World {
  return {
    now: Date.now,
    newId: () => randomBytes(10).toString("hex"),
    random: Math.random,
    async sleep(ms, signal) {
      // An aborted wait is one that was long enough.
      await wait(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
    },
    hash: (text) => hash("sha256", text),
    redact: redactor(env),
  };
}
