import { expect, it } from "vitest";
import type { ProcessExit } from "../core/ports/processes.ts";
import { findPlainFailure } from "./plain-failure.ts";

const NOW = Date.parse("2026-11-16T12:00:00Z");

const left = (code: number, stdoutTail: string, stderrTail = ""): ProcessExit => ({
  ...{ code, signal: null, stopped: null, ms: 1, stdoutBytes: stdoutTail.length },
  ...{ stdoutTail, stderrTail },
});

it.each([
  ["Invalid API key · Please run /login", "auth"],
  ["Not logged in · Please run /login", "auth"],
  ["Credit balance is too low", "quota"],
])("%s: a plain line on standard output is reported, whatever the exit code", (line, code) => {
  for (const exit of [0, 1]) expect(findPlainFailure("claude", left(exit, `${line}\n`), NOW)).toMatchObject({ code });
});

it("JSON lines are left to the protocol", () => {
  expect(findPlainFailure("claude", left(1, '{"text":"Invalid API key"}\n'), NOW)).toBeUndefined();
});

it("a login problem outranks other lines and is reported with its own line", () => {
  const noise = "WARN network error while looking for updates";
  expect(findPlainFailure("kimi", left(1, "", `${noise}\nLLM not set\n${noise}\n`), NOW)).toMatchObject({
    code: "auth",
    message: "kimi: LLM not set",
  });
});

it("an error printed over several lines is read as a whole", () => {
  const body = '{\n  "error": {\n    "code": 401,\n    "message": "no"\n  }\n}\n';
  expect(findPlainFailure("gemini", left(1, "", body), NOW)).toMatchObject({ code: "auth" });
});

it("a banner or a warning with exit 0 is no failure, nor is a killed program", () => {
  expect(
    findPlainFailure("claude", left(0, "Tip: set a rate limit\n", "not logged in to telemetry\n"), NOW),
  ).toBeUndefined();
  expect(
    findPlainFailure("claude", { ...left(1, "", "unauthorized"), code: null, signal: "SIGKILL" }, NOW),
  ).toBeUndefined();
});
