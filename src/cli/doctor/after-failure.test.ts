import { expect, test } from "vitest";
import type { Failure } from "../../core/failure/failure.ts";
import { CODEX as DRIVER } from "../../drivers/codex/index.ts";
import { commandOf } from "../../drivers/command/index.ts";
import { afterFailure } from "./after-failure.ts";

const CODEX = { driver: DRIVER };
const failed = (code: string, more: Partial<Failure> = {}): Failure => ({
  class: "transient",
  code,
  message: "no",
  ...more,
});

test.each([
  ["auth", "codex login, or set CODEX_API_KEY"],
  ["agent_usage", "0.166.0 is the one that was tried"],
  ["rate_limit", "wait a little"],
  ["connection", "HTTPS_PROXY"],
  ["model_unavailable", "ROLE=codex:MODEL"],
  ["agent_timeout", "start `codex` by hand"],
  ["a code that nobody knows yet", "start `codex` by hand"],
])("after %s a person is told what to do next", (code, next) => {
  expect(afterFailure(CODEX, failed(code))).toContain(next);
});

test("a used-up window says until when, where that is known", () => {
  const wakeAt = Date.parse("2026-11-16T12:00:00Z");
  expect(afterFailure(CODEX, failed("quota", { wakeAt }))).toContain("until 2026-11-16 12:00 UTC");
  expect(afterFailure(CODEX, failed("quota"))).toBe("wait, or give its roles to another agent");
});

test("a program that is not there is to be installed, and one that is there and not found inside the walls is not", () => {
  const stranger = { driver: commandOf(["no-such-agent"]) };
  expect(afterFailure(stranger, failed("agent_missing"))).toBe("put no-such-agent on the PATH");
  const here = { driver: commandOf([process.execPath]) };
  expect(afterFailure(here, failed("agent_missing"))).toContain("sandbox");
});
