import { z } from "zod";
import { Refusal } from "../refusal.ts";
import { route } from "../route.ts";
import { Document, Id, Text } from "./parameters.ts";

const QuestionParams = z.strictObject({ id: Id });

export const questions = [
  route({
    method: "GET",
    path: "/api/questions",
    summary: "Lists open questions.",
    input: z.strictObject({}),
    output: z.object({ questions: z.array(Document) }),
    handle: async (_, { context }) => ({ questions: await context.port.questions() }),
  }),
  route({
    method: "GET",
    path: "/api/questions/:id",
    summary: "Returns a question in full, also after it is answered.",
    input: QuestionParams,
    output: Document,
    handle: ({ id }, { context }) => context.port.question(id),
  }),
  route({
    method: "POST",
    path: "/api/questions/:id/answer",
    summary: "Answers the question whose displayed content has `hash`. Returns 409 if someone else has answered it.",
    input: QuestionParams.extend({
      choice: z.string().min(1).max(1_000),
      hash: z.string().min(1).max(200),
      note: Text.optional(),
    }),
    output: z.object({ answered: Document }),
    async handle({ id, note, ...said }, { context }) {
      const { answered, mine } = await context.port.answer(id, { ...said, ...(note === undefined ? {} : { note }) });
      if (mine) return { answered };
      throw new Refusal(
        "ANSWERED",
        `This question is already answered: ${answered.choice} by ${answered.by}.`,
        "That answer is final; yours was not recorded.",
        answered,
      );
    },
  }),
];
