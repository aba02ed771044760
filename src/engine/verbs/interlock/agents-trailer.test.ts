import { expect, test } from "vitest";
import type { JournalRecord, RecordBody } from "../../../core/journal/record.ts";
import { formatAgentsTrailer } from "./agents-trailer.ts";

const played = (role: string, by: string, outcome: "done" | "failed" = "done"): RecordBody => ({
  type: "agent.finished",
  key: `1/${role}`,
  role,
  instance: "",
  round: 1,
  attempt: 1,
  outcome,
  by,
});

const commit = (verb: string): RecordBody[] => [
  { type: "step.started", key: "2/commit", scope: "", n: 0, verb, phase: "2", print: "" },
  { type: "step.finished", key: "2/commit", value: { commit: "c", branch: "b" } },
];

const journal = (...bodies: RecordBody[]): JournalRecord[] =>
  bodies.map((body, at) => ({ ...body, v: 1, seq: at + 1, ts: 0, run: "r", chain: "" }));

test("a commit names the programs that worked for it and what they played, each once", () => {
  const records = journal(
    played("planner", "claude:opus"),
    played("reviewer", "codex"),
    played("implementer", "claude:opus"),
    played("implementer", "claude:opus"),
    played("tester", "goose", "failed"),
  );
  expect(formatAgentsTrailer(records, 99)).toBe(
    "Signalbox-Agents: claude:opus (implementer, planner), codex (reviewer)",
  );
});

test("who worked for the commit before is not named again, nor who comes later", () => {
  const records = journal(
    played("one", "claude"),
    ...commit("commit"),
    played("two", "codex"),
    played("late", "goose"),
  );
  expect(formatAgentsTrailer(records, 5)).toBe("Signalbox-Agents: codex (two)");
  expect(formatAgentsTrailer(journal(...commit("commit")), 99)).toBeUndefined();
});
