import { z } from "zod";
import { Refusal } from "../refusal.ts";
import { route } from "../route.ts";

const Code = z.string().min(1).max(200);

export const session = [
  route({
    method: "POST",
    path: "/api/session",
    summary: "Exchanges the one-time code of a link for the token.",
    input: z.strictObject({ code: Code }),
    output: z.object({ token: z.string() }),
    open: true,
    secret: true,
    async handle({ code }, { context }) {
      const token = context.session.exchange(code);
      if (token !== undefined) return { token };
      context.countWrongCode();
      throw new Refusal(
        "CODE_WRONG",
        "This code is invalid, used, or older than five minutes.",
        "Open a new link with `signalbox ui`.",
      );
    },
  }),
  route({
    method: "POST",
    path: "/api/session/code",
    summary: "Creates a one-time code for another browser.",
    input: z.strictObject({}),
    output: z.object({ code: z.string() }),
    secret: true,
    handle: async (_, { context }) => ({ code: context.session.newCode() }),
  }),
];
