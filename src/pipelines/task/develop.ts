import type { Finding } from "../../core/authoring/finding.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Answer, Verbs } from "../../core/authoring/verbs.ts";
import { pickNonEmpty } from "../non-empty.ts";
import type { TaskInput } from "./input.ts";
import { type Delivery, type Development, developer } from "./roles.ts";

export type AnsweredQuestion = { readonly question: string; readonly answer: string };
export type DeliveredAnswer = Answer<Delivery, true>;
export type HaltedAnswer = Exclude<Answer<Development, true>, { readonly status: "done" | "question" }>;

type DevelopRound = {
  readonly tree: Tree;
  readonly findings: readonly Finding[];
  /** Description of the previous round's work. */
  readonly delivered: Delivery | undefined;
  /** Answers of the person in this run; new ones are appended. */
  readonly answers: AnsweredQuestion[];
};

/** Maximum questions per round. */
const QUESTIONS = 5;

/**
 * Runs one round. A question of the agent goes to a person, and the answer back to the agent.
 * @rule K-05 (policy) An agent's question waits for a person in every mode, and the answer is in every later dispatch.
 */
export async function runDeveloper(
  verbs: Verbs<TaskInput>,
  { tree, findings, delivered, answers }: DevelopRound,
): Promise<DeliveredAnswer | HaltedAnswer> {
  const { input, agent, within, ask, end } = verbs;
  const asked = { request: input.request, ...(input.kind && { kind: input.kind }) };
  let from = tree;
  for (let turn = 1; turn <= QUESTIONS; turn += 1) {
    const given = {
      ...asked,
      ...pickNonEmpty({ findings, answers: [...answers] }),
      ...(delivered && { delivered: pickDescription(delivered) }),
    };
    const work = await within(`turn-${turn}`, () => agent(developer, given, { in: from, task: "task" }), {
      repeats: true,
    });
    if (work.status !== "question") return work;
    from = work.after;
    const question = work.question ?? work.body;
    const { choice, note = "" } = await within(`question-${turn}`, () =>
      ask({
        title: question.split("\n")[0] ?? question,
        show: { question, request: input.request },
        choices: ["answer", "stop"],
        words: ["answer"],
        leads: { answer: "continue with your answer", stop: "end the run" },
        auto: "never",
      }),
    );
    if (choice === "stop") return end({ status: "blocked", reason: `stopped by a person at a question: ${question}` });
    answers.push({ question, answer: note });
  }
  return end({ status: "blocked", reason: `the developer asked ${QUESTIONS} questions in one round` });
}

/** Returns the description that becomes the commit message. */
export const pickDescription = ({ kind, subject, body }: Delivery) => ({ kind, subject, body });
