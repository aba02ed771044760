import { z } from "zod";
import { Refusal } from "../refusal.ts";
import { route } from "../route.ts";
import { Document, Id, Text } from "./names.ts";

const ofQuestion = z.strictObject({ id: Id });

export const questions = [
  route({
    method: "GET",
    path: "/api/questions",
    says: "What waits for a person.",
    takes: z.strictObject({}),
    gives: z.object({ questions: z.array(Document) }),
    handle: async (_, { desk }) => ({ questions: await desk.port.questions() }),
  }),
  route({
    method: "GET",
    path: "/api/questions/:id",
    says: "One question whole, also after its answer.",
    takes: ofQuestion,
    gives: Document,
    handle: ({ id }, { desk }) => desk.port.question(id),
  }),
  route({
    method: "POST",
    path: "/api/questions/:id/answer",
    says: "Answers what was shown, which `hash` names. 409 tells who was quicker.",
    takes: ofQuestion.extend({
      choice: z.string().min(1).max(1_000),
      hash: z.string().min(1).max(200),
      note: Text.optional(),
    }),
    gives: z.object({ answered: Document }),
    async handle({ id, note, ...said }, { desk }) {
      const { answered, mine } = await desk.port.answer(id, { ...said, ...(note === undefined ? {} : { note }) });
      if (mine) return { answered };
      throw new Refusal(
        "ANSWERED",
        `This question is answered already: ${answered.choice} by ${answered.by}.`,
        "That answer counts, and yours was not taken.",
        answered,
      );
    },
  }),
];
