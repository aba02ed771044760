import type { Home, QuestionLine, RunLine } from "../../../src/surfaces/server/port/documents.ts";

/** Something that waits for a person: a question, or a run whose engine is gone. */
export type Need =
  | {
      readonly kind: "question";
      readonly at: number;
      readonly question: QuestionLine;
      /** The state of its run as all screens display it. A pause is shown as paused. */
      readonly state: RunLine["state"];
    }
  | { readonly kind: "stale"; readonly at: number; readonly run: RunLine; readonly state: RunLine["state"] };

/** Lists what needs a person, oldest first. */
export function listNeeds(home: Home): readonly Need[] {
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

const RUNNING_STATES = new Set(["running", "retrying", "queued"]);

/** Lists running runs. A run that waits for a person is listed under "Needs you" instead. */
export const listRunning = (home: Home): readonly RunLine[] =>
  home.running.filter(({ state }) => RUNNING_STATES.has(state));

export function listRecent(home: Home): readonly RunLine[] {
  const asked = new Set(home.needs.map(({ run }) => run));
  return [...home.running.filter(({ state }) => !RUNNING_STATES.has(state)), ...home.recent].filter(
    ({ run, state }) => state !== "stale" && !asked.has(run),
  );
}
