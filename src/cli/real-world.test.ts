import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { createRealWorld } from "./real-world.ts";

test("a sleep of a month lasts until it is aborted", async () => {
  const caller = new AbortController();
  let over = false;
  const slept = createRealWorld({})
    .sleep(31 * 86_400_000, caller.signal)
    .then(() => {
      over = true;
    });
  // A timer that overflows would fire after a millisecond.
  await wait(20);
  expect(over).toBe(false);
  caller.abort();
  await slept;
  expect(over).toBe(true);
});
