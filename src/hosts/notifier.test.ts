import { expect, test } from "vitest";
import { createNotifier } from "./notifier.ts";

const never = new AbortController().signal;

test("a ring between checking and waiting is not missed", async () => {
  const notifier = createNotifier();
  for (const ring of [() => notifier.ring("a"), () => notifier.ringAll()]) {
    const seen = notifier.count("a");
    ring();
    await notifier.after("a", seen, never);
    expect(notifier.count("a")).toBe(seen + 1);
  }
});

test("a ring wakes its own topic only", async () => {
  const notifier = createNotifier();
  const woken: string[] = [];
  const waits = ["a", "b"].map((topic) => notifier.after(topic, 0, never).then(() => woken.push(topic)));
  notifier.ring("b");
  await waits[1];
  expect(woken).toEqual(["b"]);
  notifier.ringAll();
  await Promise.all(waits);
  expect(woken).toEqual(["b", "a"]);
});

test("external changes are watched only while there are waiters", async () => {
  const said: string[] = [];
  const notifier = createNotifier(() => {
    said.push("watch");
    return () => said.push("unwatch");
  });
  const stop = new AbortController();
  const waits = [notifier.after("a", 0, never), notifier.after("a", 0, never), notifier.after("b", 0, stop.signal)];
  notifier.ring("a");
  expect(said).toEqual(["watch"]);
  stop.abort();
  await Promise.all(waits);
  expect(said).toEqual(["watch", "unwatch"]);
});
