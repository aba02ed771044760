import { expect, test } from "vitest";
import { createIdempotencyCache } from "./idempotency-cache.ts";

test("a request with the same key is executed once, also while it is in progress", async () => {
  const once = createIdempotencyCache();
  let done = 0;
  const order = async () => {
    done += 1;
    return { done };
  };
  const [first, second] = await Promise.all([once("k", { a: 1 }, order), once("k", { a: 1 }, order)]);
  expect([first, second, await once("k", { a: 1 }, order)]).toEqual([{ done: 1 }, { done: 1 }, { done: 1 }]);
  await once(undefined, { a: 1 }, order);
  await once("other", { a: 1 }, order);
  expect(done).toBe(3);
});

test("a different request with a known key is refused", async () => {
  const once = createIdempotencyCache();
  await once("k", { a: 1 }, async () => 1);
  await expect(once("k", { a: 2 }, async () => 2)).rejects.toMatchObject({ code: "KEY_REUSED" });
});

test("a failed request can be repeated with its key", async () => {
  const once = createIdempotencyCache();
  const fails = async () => {
    throw new Error("not now");
  };
  await expect(once("k", {}, fails)).rejects.toThrow("not now");
  expect(await once("k", {}, async () => "done")).toBe("done");
});
