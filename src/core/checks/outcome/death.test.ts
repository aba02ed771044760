import { expect, test } from "vitest";
import { exitCodeOf, killedBy } from "./death.ts";

const ended = (signal: string | null, code: number | null = null) => ({ code, signal, stopped: null });

test.each(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"])(
  "[A-20] %s comes from somebody else, and leaves no exit code",
  (signal) => {
    expect(killedBy(ended(signal))).toBe(signal);
    expect(exitCodeOf(ended(signal))).toBeNull();
  },
);

test.each([
  ["SIGSEGV", 139],
  ["SIGABRT", 134],
  ["SIGBUS", 135],
] as const)("[A-20] who dies of %s has failed by itself, with the code that a shell would give", (signal, code) => {
  expect(killedBy(ended(signal))).toBeUndefined();
  expect(exitCodeOf(ended(signal))).toBe(code);
});

test("a process that exits by itself keeps its exit code", () => {
  expect(killedBy(ended(null, 3))).toBeUndefined();
  expect(exitCodeOf(ended(null, 3))).toBe(3);
});

test("a process that the engine stopped was not killed, and has no exit code", () => {
  const stopped = { code: null, signal: "SIGKILL", stopped: "timeout" } as const;
  expect(killedBy(stopped)).toBeUndefined();
  expect(exitCodeOf(stopped)).toBeNull();
});
