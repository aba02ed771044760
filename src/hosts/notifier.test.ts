import { expect, test } from "vitest";
import { createBells } from "./bells.ts";

const never = new AbortController().signal;

test("a ring between looking and waiting is not missed", async () => {
  const bells = createBells();
  for (const ring of [() => bells.ring("a"), () => bells.ringAll()]) {
    const seen = bells.count("a");
    ring();
    await bells.after("a", seen, never);
    expect(bells.count("a")).toBe(seen + 1);
  }
});

test("a ring wakes its own topic only", async () => {
  const bells = createBells();
  const woken: string[] = [];
  const waits = ["a", "b"].map((topic) => bells.after(topic, 0, never).then(() => woken.push(topic)));
  bells.ring("b");
  await waits[1];
  expect(woken).toEqual(["b"]);
  bells.ringAll();
  await Promise.all(waits);
  expect(woken).toEqual(["b", "a"]);
});

test("changes from elsewhere are looked for only while somebody waits", async () => {
  const said: string[] = [];
  const bells = createBells(() => {
    said.push("watch");
    return () => said.push("unwatch");
  });
  const stop = new AbortController();
  const waits = [bells.after("a", 0, never), bells.after("a", 0, never), bells.after("b", 0, stop.signal)];
  bells.ring("a");
  expect(said).toEqual(["watch"]);
  stop.abort();
  await Promise.all(waits);
  expect(said).toEqual(["watch", "unwatch"]);
});
