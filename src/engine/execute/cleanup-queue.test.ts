import { expect, test } from "vitest";
import { createCleanupQueue } from "./cleanup-queue.ts";

test("chores are settled when the last is done, also one that another has added and one that failed", async () => {
  const cleanup = createCleanupQueue();
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  cleanup.add(async () => {
    await gate.promise;
    cleanup.add(async () => {
      await Promise.resolve();
      done.push("second");
    });
    done.push("first");
  });
  cleanup.add(() => Promise.reject(new Error("a full disk")));
  const settled = cleanup.settled().then(() => done.push("settled"));
  gate.resolve();
  await settled;
  expect(done).toEqual(["first", "second", "settled"]);
});
