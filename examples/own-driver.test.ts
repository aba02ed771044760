// Run it where signalbox is installed: node --test own-driver.test.ts
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { driverSuite, playOnce } from "signalbox/testing";
import { parrotDriver } from "./own-driver.ts";

const FAKE = fileURLToPath(new URL("./fake-parrot.mjs", import.meta.url));

/** The driver, with a parrot that is told what to do. */
const parrot = (act: object, limits = {}) =>
  parrotDriver({ argv: [process.execPath, FAKE, JSON.stringify(act)], limits });

driverSuite("parrot", parrot, { describe, it });

for (const [what, act, expected] of [
  ["a refused key", { kind: "refuses", message: "Who are you?", status: 401 }, "auth"],
  ["a busy model", { kind: "refuses", message: "429 Too Many Requests", status: 429 }, "rate_limit"],
  ["exit 0 without its last word", { kind: "says nothing more" }, "agent_incomplete"],
] as const) {
  it(`tells ${what}`, async () => {
    const last = (await playOnce(parrot(act))).at(-1);
    assert.equal(last?.type === "turn.failed" && last.failure.code, expected);
  });
}
