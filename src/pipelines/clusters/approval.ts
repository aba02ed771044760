import type { Verbs } from "../../core/verbs.ts";
import type { Feature } from "./feature.ts";

/** How often a person may send a step back to its agent. */
const RETURNS = 1;

type Step<T> = {
  readonly title: string;
  readonly step: string;
  /** Does the step, with the wish of the person who sent it back; `summary` is what people are shown. */
  readonly work: (wish: string) => Promise<{ readonly summary: unknown; readonly result: T }>;
  /** What follows from a person's own yes, and not from one that was taken for granted. */
  readonly agreed?: (result: T) => Promise<void>;
  /** What follows where nobody was there to say it. */
  readonly unread?: (result: T) => Promise<void>;
};

/** A person's no with a note sends the step back once; without a note, or the second time, it ends the run. */
export async function approved<T>(
  { loop, ask }: Pick<Verbs<unknown>, "loop" | "ask">,
  feature: Feature,
  { title, step, work, agreed, unread }: Step<T>,
): Promise<T> {
  let wish = "";
  const { result, ended, by } = await loop({ max: 1 + RETURNS }, async ({ round }) => {
    if (round > 1) await feature.doubt([step], "a person sent it back");
    const { summary, result } = await work(wish);
    if (round > 1) await feature.settle();
    const question = { title, show: summary, choices: ["proceed", "refuse"], auto: "proceed" } as const;
    const { choice, note, by, decision } = await ask({ ...question, accepts: "proceed" });
    if (choice === "refuse" && !note?.trim()) return feature.halt(`step ${step} was refused by a person`);
    wish = note ?? "";
    return { result, by, decision };
  });
  if (ended === "passed") await (by === "automatic" ? unread : agreed)?.(result);
  return ended === "passed" ? result : feature.halt(`step ${step} was refused by a person again: ${wish}`);
}
