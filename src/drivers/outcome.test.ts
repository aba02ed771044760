import { describe, expect, it } from "vitest";
import { SAID_CHARACTERS } from "../core/failure/failure.ts";
import type { ProcessExit } from "../core/ports/processes.ts";
import { failureOfExit } from "./outcome.ts";

const EXIT: ProcessExit = {
  code: 0,
  signal: null,
  stopped: null,
  ms: 12,
  stdoutBytes: 3,
  stdoutTail: "out",
  stderrTail: "",
};

describe("the end of an agent's process", () => {
  it("with exit 0 is no failure", () => {
    expect(failureOfExit("Agent", EXIT)).toBeUndefined();
  });

  const ends: readonly (readonly [string, Partial<ProcessExit>, string, string])[] = [
    ["canceled by us", { stopped: "canceled" }, "canceled", "agent_canceled"],
    ["out of time", { stopped: "timeout", signal: "SIGTERM" }, "transient", "agent_timeout"],
    ["silent", { stopped: "silent" }, "transient", "agent_silent"],
    ["flooding", { stopped: "flood" }, "transient", "agent_flooded"],
    ["killed by a foreign signal", { code: null, signal: "SIGSEGV" }, "transient", "agent_killed"],
    ["not found", { code: 127 }, "deterministic", "agent_missing"],
    ["not executable", { code: 126 }, "deterministic", "agent_missing"],
    ["with another exit code", { code: 1 }, "transient", "agent_crashed"],
  ];
  it.each(ends)("%s is classified, whatever its exit code", (_name, end, kind, code) => {
    expect(failureOfExit("Agent", { ...EXIT, ...end })).toMatchObject({ class: kind, code, last: "out" });
  });

  it("keeps its errors rather than its output, truncated", () => {
    const failure = failureOfExit("Agent", { ...EXIT, code: 1, stderrTail: `${"e".repeat(90_000)}\nthe reason\n` });
    expect(failure?.message).toBe("Agent failed with exit code 1: the reason");
    expect(failure?.last).toHaveLength(SAID_CHARACTERS);
  });

  it("reports the error of a Node program, not the version that Node prints after it", () => {
    const stderrTail = `agent.mjs:3\n  throw err;\n\nError: no key for the model\n    at agent.mjs:3:9\n\nNode.js v24.21.0\n`;
    const failure = failureOfExit("node", { ...EXIT, code: 1, stderrTail });
    expect(failure?.message).toBe("node failed with exit code 1: Error: no key for the model");
  });
});
