import { describe, expect, it } from "vitest";
import { readTeamNotes } from "./notes.ts";

const WRITTEN = {
  v: 1,
  by: "ada",
  trusted: "0123",
  needs: ["pipeline:task@0123456789ab"],
  agent: [],
  agents: { "*": { driver: "claude", instead: { driver: "codex" } } },
  patience: {},
  usageWindow: "wait",
};

describe("the start notes of a team's run", () => {
  it("are read as written", () => {
    expect(readTeamNotes("r1", [WRITTEN])).toEqual(WRITTEN);
  });

  it("[A-42] fall back to the newest valid row", () => {
    const changed = { ...WRITTEN, agent: ["codex"], script: ["agents: []"] };
    expect(readTeamNotes("r1", ["{broken", {}, changed, WRITTEN])).toEqual(changed);
    expect(readTeamNotes("r1", [WRITTEN, changed])).toEqual({ ...changed, agent: [], script: undefined });
  });

  it("[A-42] take only the agents from a later row", () => {
    const later = { ...WRITTEN, agent: ["codex"], by: "eve", trusted: "none", needs: ["nobody:has-it"], agents: {} };
    expect(readTeamNotes("r1", [later, WRITTEN])).toEqual({ ...WRITTEN, agent: ["codex"] });
  });

  it.each([
    ["an agent without a driver", { agents: { "*": { argv: ["sh", "-c", "true"] } } }, "agents.*.driver"],
    ["an agent with unknown fields", { agents: { "*": { driver: "claude", shell: "sh" } } }, "agents.*"],
    ["a fallback of another shape", { agents: { "*": { driver: "claude", instead: "codex" } } }, "agents.*.instead"],
    ["a negative time limit", { patience: { wallMs: -5 } }, "patience.wallMs"],
    ["a trust hash that is not a string", { trusted: null }, "trusted"],
  ])("reject %s and name its path", (_what, changed, place) => {
    expect(() => readTeamNotes("r1", [{ ...WRITTEN, ...changed }])).toThrow(place);
  });

  it("contain no programs, which each worker configures itself", () => {
    const drivers = { scripted: { command: "sh", pass: ["SECRET"] } };
    expect(readTeamNotes("r1", [{ ...WRITTEN, drivers }])).toEqual(WRITTEN);
  });

  it("distinguish a missing row from an unreadable one", () => {
    expect(() => readTeamNotes("r1", [])).toThrow("are missing from the team's database");
    expect(() => readTeamNotes("r1", ["nonsense", {}])).toThrow("cannot be read in the team's database");
  });
});
