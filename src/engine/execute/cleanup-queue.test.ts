import { expect, test } from "vitest";
import { createChores } from "./chores.ts";

test("chores are settled when the last is done, also one that another has added and one that failed", async () => {
  const chores = createChores();
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  chores.add(async () => {
    await gate.promise;
    chores.add(async () => {
      await Promise.resolve();
      done.push("second");
    });
    done.push("first");
  });
  chores.add(() => Promise.reject(new Error("a full disk")));
  const settled = chores.settled().then(() => done.push("settled"));
  gate.resolve();
  await settled;
  expect(done).toEqual(["first", "second", "settled"]);
});
