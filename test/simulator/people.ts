import type { Limits } from "../../src/core/budget/budget.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { Signal } from "../../src/core/ports/host.ts";
import type { Chance } from "./chance.ts";
import type { Clock } from "./clock.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A person stops answering after this many questions. */
const PATIENCE = 10;

type ApprovalRequest = JournalRecord<"approval.requested">;

export type People = {
  /** Notices the question and answers it later: late, twice, or wrongly at first. */
  see(question: ApprovalRequest): void;
  /** Resumes a parked run, with higher limits where it ran out. */
  letGoOn(limits: Limits): void;
  /** Gives the answer that certainly fits an unanswered question. */
  answer(question: ApprovalRequest): void;
};

export function createPeople(parts: {
  readonly chance: Chance;
  readonly clock: Clock;
  /** Probability that a person chooses another option than the first. */
  readonly whim: number;
  readonly post: (signal: Signal) => void;
}): People {
  const { chance, clock, post, whim } = parts;
  let seen = 0;
  const reply = (question: ApprovalRequest): Signal => {
    const { approval, hash, choices, words = [], pause } = question;
    if (pause) return { kind: "resume", by: "ada" };
    const choice = chance.odds(whim) ? chance.pick(choices) : (choices[0] ?? "");
    // This choice requires a note.
    const note = chance.odds(0.2) || words.includes(choice) ? { note: "look at the tests again" } : {};
    return { kind: "answer", approval, hash, choice, by: chance.pick(["ada", "grace"]), ...note };
  };
  /** An answer that no engine may accept. */
  const wrong = ({ approval, hash, choices }: ApprovalRequest): Signal => {
    const how = chance.weighed({ stale: 3, unknown: 2, nobody: 1 });
    const answer = { kind: "answer", approval, hash, choice: choices[0] ?? "", by: "mallory" } as const;
    if (how === "stale") return { ...answer, hash: "0".repeat(64) };
    return how === "unknown" ? { ...answer, choice: "whatever" } : { ...answer, approval: "a-00000000" };
  };
  return {
    see(question) {
      seen += 1;
      if (seen > PATIENCE) {
        clock.after(SECOND, () => post({ kind: "cancel", by: "ada", note: "enough" }));
        return;
      }
      const after = chance.magnitude(SECOND, 20 * MINUTE);
      if (!question.pause && chance.odds(0.15)) clock.after(after / 2, () => post(wrong(question)));
      clock.after(after, () => post(reply(question)));
      if (chance.odds(0.1)) clock.after(after + chance.between(0, 2_000), () => post(reply(question)));
    },
    letGoOn(limits) {
      const { dispatches, usd, timeMs } = limits;
      const more = {
        ...(dispatches && { dispatches: dispatches * 3 }),
        ...(usd && { usd: usd * 3 }),
        ...(timeMs && { timeMs: timeMs * 3 }),
      };
      const letter = chance.odds(0.15)
        ? ({ kind: "cancel", by: "ada" } as const)
        : ({ kind: "resume", by: "ada", limits: more } as const);
      clock.after(chance.magnitude(SECOND, 20 * MINUTE), () => post(letter));
    },
    answer: (question) => post(reply(question)),
  };
}
