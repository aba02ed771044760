import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { DriveResult } from "../../src/core/ports/host.ts";
import type { Scenario } from "./answers/scenario.ts";
import { type Stage, stage } from "./stage.ts";

const TURNS = 40;

/** The head that the paper world shows. */
const HEAD = { commit: "c0", tree: "base" };

export type PlayedScenario = { readonly end: DriveResult; readonly records: readonly JournalRecord[] };

/** Runs a scenario on a memory host to its end, answering every question. */
export async function playScenario(scenario: Scenario): Promise<PlayedScenario> {
  const { pipeline, perform, input, approvals, commands } = scenario;
  const s = await stage({ pipeline, perform, order: { input, approvals, commands: [...commands], base: HEAD } });
  const end = await toEnd(s, scenario);
  return { end, records: await s.records() };
}

async function toEnd(s: Stage, scenario: Scenario): Promise<DriveResult> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const end = await s.drive();
    if (end.status !== "waiting" && end.status !== "paused") return end;
    const records = await s.records();
    const decided = new Set(records.flatMap((each) => (each.type === "approval.decided" ? [each.approval] : [])));
    for (const asked of records) {
      if (asked.type !== "approval.requested" || decided.has(asked.approval)) continue;
      const { approval, hash } = asked;
      if (asked.pause) await s.post({ kind: "resume", by: "person" });
      else await s.post({ kind: "answer", approval, hash, choice: scenario.answer(asked), by: "person" });
    }
  }
  throw new Error(`${scenario.name} did not end`);
}
