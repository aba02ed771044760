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

describe("how a team's run was started", () => {
  it("reads as it was written", () => {
    expect(readTeamNotes("r1", [WRITTEN])).toEqual(WRITTEN);
  });

  it("[A-42] falls back to the last row that reads as one", () => {
    const changed = { ...WRITTEN, agent: ["codex"], script: ["agents: []"] };
    expect(readTeamNotes("r1", ["{broken", {}, changed, WRITTEN])).toEqual(changed);
    expect(readTeamNotes("r1", [WRITTEN, changed])).toEqual({ ...changed, agent: [], script: undefined });
  });

  it("[A-42] takes from a later row which agents there are, and nothing else", () => {
    const later = { ...WRITTEN, agent: ["codex"], by: "eve", trusted: "none", needs: ["nobody:has-it"], agents: {} };
    expect(readTeamNotes("r1", [later, WRITTEN])).toEqual({ ...WRITTEN, agent: ["codex"] });
  });

  it.each([
    ["an agent without a driver", { agents: { "*": { argv: ["sh", "-c", "true"] } } }, "agents.*.driver"],
    ["an agent with more than agents have", { agents: { "*": { driver: "claude", shell: "sh" } } }, "agents.*"],
    ["a fallback of another shape", { agents: { "*": { driver: "claude", instead: "codex" } } }, "agents.*.instead"],
    ["less patience than none", { patience: { wallMs: -5 } }, "patience.wallMs"],
    ["a yes that is no text", { trusted: null }, "trusted"],
  ])("refuses %s, and names the place", (_what, changed, place) => {
    expect(() => readTeamNotes("r1", [{ ...WRITTEN, ...changed }])).toThrow(place);
  });

  it("takes no programs: where they lie and what they are given is each worker's own", () => {
    const drivers = { scripted: { command: "sh", pass: ["SECRET"] } };
    expect(readTeamNotes("r1", [{ ...WRITTEN, drivers }])).toEqual(WRITTEN);
  });

  it("tells a row that is not there from one that cannot be read", () => {
    expect(() => readTeamNotes("r1", [])).toThrow("is not known to the team's database");
    expect(() => readTeamNotes("r1", ["nonsense", {}])).toThrow("cannot be read in the team's database");
  });
});
