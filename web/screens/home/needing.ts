import type { Home, QuestionLine, RunLine } from "../../../src/surfaces/server/port/answers.ts";

/** What waits for a person: a question, or a run whose engine is gone. */
export type Need =
  | {
      readonly kind: "question";
      readonly at: number;
      readonly question: QuestionLine;
      /** Of its run, by the word of every other screen: a pause is shown as one. */
      readonly state: RunLine["state"];
    }
  | { readonly kind: "stale"; readonly at: number; readonly run: RunLine; readonly state: RunLine["state"] };

/** Oldest first: who waits longest is asked first. */
export function needing(home: Home): readonly Need[] {
  const paused = new Set(home.running.flatMap(({ run, state }) => (state === "paused" ? [run] : [])));
  const questions = home.needs.map((question) => {
    const state = paused.has(question.run) ? "paused" : "waiting";
    return { kind: "question", at: question.askedAt, question, state } as const;
  });
  const gone = [...home.running, ...home.recent]
    .filter(({ state }) => state === "stale")
    .map((run) => ({ kind: "stale", at: run.lastAt, run, state: run.state }) as const);
  return [...questions, ...gone].toSorted((one, other) => one.at - other.at);
}

const WORKING = new Set(["running", "retrying", "queued"]);

/** A run that waits for a person stands under "needs you", and is running in no other sense. */
export const atWork = (home: Home): readonly RunLine[] => home.running.filter(({ state }) => WORKING.has(state));

export function resting(home: Home): readonly RunLine[] {
  const asked = new Set(home.needs.map(({ run }) => run));
  return [...home.running.filter(({ state }) => !WORKING.has(state)), ...home.recent].filter(
    ({ run, state }) => state !== "stale" && !asked.has(run),
  );
}
