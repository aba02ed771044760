import { z } from "zod";
import { writeContract } from "../../src/core/contract/write.ts";
import type { Texts } from "./misbehavior.ts";

export const DIALECT = "json";

export const Review = z.object({ decision: z.enum(["approve", "reject"]), because: z.string() });

/** A secret that this world's redaction knows by value; its format does not identify it. */
export const SECRET = "correct-horse-battery-staple-7741";

export function textsFor(nonce: string): Omit<Texts, "mostBytes"> {
  const contract = (value: z.infer<typeof Review>, of = nonce) => writeContract({ dialect: DIALECT, value, nonce: of });
  return {
    good: contract({ decision: "approve", because: "It does what was asked." }),
    opposite: contract({ decision: "reject", because: "It does not do what was asked." }),
    foreign: contract({ decision: "approve", because: "It does what was asked." }, "another-nonce"),
    placeholder: contract({ decision: "approve", because: "TODO" }),
    secret: SECRET,
    telltale: contract({ decision: "approve", because: `The key is ${SECRET}, as agreed.` }),
  };
}
