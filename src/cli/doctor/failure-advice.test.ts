import { expect, test } from "vitest";
import type { Failure } from "../../core/failure/failure.ts";
import { CODEX as DRIVER } from "../../drivers/codex/index.ts";
import { createCommandDescriptor } from "../../drivers/command/index.ts";
import { suggestAfterFailure } from "./failure-advice.ts";

const CODEX = { driver: DRIVER };
const failed = (code: string, more: Partial<Failure> = {}): Failure => ({
  class: "transient",
  code,
  message: "no",
  ...more,
});

test.each([
  ["auth", "codex login, or set CODEX_API_KEY"],
  ["agent_usage", "0.166.0 is the tested version"],
  ["rate_limit", "retry in a few minutes"],
  ["connection", "HTTPS_PROXY"],
  ["model_unavailable", "ROLE=codex:MODEL"],
  ["agent_timeout", "run `codex` manually"],
  ["an unknown code", "run `codex` manually"],
])("after %s the message says what to do next", (code, next) => {
  expect(suggestAfterFailure(CODEX, failed(code))).toContain(next);
});

test("an exhausted quota names the time of its reset if known", () => {
  const wakeAt = Date.parse("2026-11-16T12:00:00Z");
  expect(suggestAfterFailure(CODEX, failed("quota", { wakeAt }))).toContain("until 2026-11-16 12:00 UTC");
  expect(suggestAfterFailure(CODEX, failed("quota"))).toBe("wait, or assign its roles to another agent");
});

test("a missing program is to be installed; one that only the sandbox cannot find is not", () => {
  const stranger = { driver: createCommandDescriptor(["no-such-agent"]) };
  expect(suggestAfterFailure(stranger, failed("agent_missing"))).toBe("put no-such-agent on the PATH");
  const here = { driver: createCommandDescriptor([process.execPath]) };
  expect(suggestAfterFailure(here, failed("agent_missing"))).toContain("sandbox");
});
