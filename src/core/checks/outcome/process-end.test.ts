import { expect, test } from "vitest";
import { findKillSignal, toExitCode } from "./process-end.ts";

const ended = (signal: string | null, code: number | null = null) => ({ code, signal, stopped: null });

test.each(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"])(
  "[A-20] %s comes from somebody else, and leaves no exit code",
  (signal) => {
    expect(findKillSignal(ended(signal))).toBe(signal);
    expect(toExitCode(ended(signal))).toBeNull();
  },
);

test.each([
  ["SIGSEGV", 139],
  ["SIGABRT", 134],
  ["SIGBUS", 135],
] as const)("[A-20] who dies of %s has failed by itself, with the code that a shell would give", (signal, code) => {
  expect(findKillSignal(ended(signal))).toBeUndefined();
  expect(toExitCode(ended(signal))).toBe(code);
});

test("a process that exits by itself keeps its exit code", () => {
  expect(findKillSignal(ended(null, 3))).toBeUndefined();
  expect(toExitCode(ended(null, 3))).toBe(3);
});

test("a process that the engine stopped was not killed, and has no exit code", () => {
  const stopped = { code: null, signal: "SIGKILL", stopped: "timeout" } as const;
  expect(findKillSignal(stopped)).toBeUndefined();
  expect(toExitCode(stopped)).toBeNull();
});
