import { afterAll, expect, test } from "vitest";
import { READERS } from "./readers.ts";
import { openTrials } from "./trial.ts";

const SEED = 20_261_116;
const TEXTS = 500;

const trials = openTrials();
afterAll(() => trials.end());

const each = Math.ceil(TEXTS / READERS.length);

test.each(READERS.map(({ name }, at) => [name, at] as const))(
  "[H-01] %s: no input throws an unknown error or exceeds the time that its length allows",
  async (reader, at) => {
    for (let number = 0; number < each; number += 1) {
      const seed = SEED + at * each + number;
      expect(await trials.run({ reader, seed }), `npm run fuzz -- --reader "${reader}" --count 1 --seed ${seed}`).toBe(
        undefined,
      );
    }
  },
);

/** One known hard input for each class of readers that it once stopped. */
test.each([
  ["changed .github/workflows/ci.yml", "an anchor within itself"],
  ["changed .github/workflows/ci.yml", "anchors that double"],
  ["changed b.yaml", "double quotes"],
  ["config.yaml", "keys of their own"],
  ["terminal text", "unclosed commands to a terminal"],
  ["changed Makefile", "many names, many recipes"],
  ["changed vitest.config.ts", "numbers of thresholds"],
  ["exam in src/a.rs", "modules without a body"],
  ["exam in src/a.rs", "cfg of all"],
  ["exam in setup.cfg", "backslashes in quotes"],
  ["exam in pyproject.toml", "lines"],
  ["words of a failed turn", "limits"],
  ["phases commit", "one letter"],
])("[H-01] %s: %s", async (reader, evil) => {
  expect(await trials.run({ reader, evil, size: 250_000 })).toBe(undefined);
});
