import { z } from "zod";
import { Refusal } from "../refusal.ts";
import { route } from "../route.ts";

const Code = z.string().min(1).max(200);

export const session = [
  route({
    method: "POST",
    path: "/api/session",
    says: "Exchanges the one-use code of a link for the token.",
    takes: z.strictObject({ code: Code }),
    gives: z.object({ token: z.string() }),
    open: true,
    secret: true,
    async handle({ code }, { desk }) {
      const token = desk.session.exchange(code);
      if (token !== undefined) return { token };
      desk.guessed();
      throw new Refusal(
        "CODE_WRONG",
        "This code was used, is older than five minutes, or is none.",
        "Open a new link with `signalbox ui`.",
      );
    },
  }),
  route({
    method: "POST",
    path: "/api/session/code",
    says: "Another one-use code, for another browser.",
    takes: z.strictObject({}),
    gives: z.object({ code: z.string() }),
    secret: true,
    handle: async (_, { desk }) => ({ code: desk.session.newCode() }),
  }),
];
