import type { Announcement } from "../../../core/authoring/announcement.ts";
import type { Brief } from "../../../core/authoring/brief.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { FeatureContext } from "../context.ts";

/**
 * How often a person may send a step back to its agent.
 * @rule C-47 (policy) An approval shows the step's summary; a refusal with a note returns it once, without one it ends
 *   the run.
 */
const RETURNS = 1;

type Step<T> = {
  readonly title: string;
  readonly step: string;
  /** Does the step, with the wish of the person who sent it back; `summary` is what people are shown. */
  readonly work: (wish: string) => Promise<{
    readonly summary: unknown;
    /** The same as it is read, where that is not all of it. */
    readonly brief?: Brief;
    /** What the approval lets fail. */
    readonly announces?: readonly Announcement[];
    /** The documents that the question is about, below the feature's folder. */
    readonly documents: readonly string[];
    readonly result: T;
  }>;
  /** What follows from a person's own yes, and not from one that was taken for granted. */
  readonly agreed?: (result: T) => Promise<void>;
  /** What follows where nobody was there to say it. */
  readonly unread?: (result: T) => Promise<void>;
};

const LEADS = {
  proceed: "the next step begins",
  refuse: "goes back with your note; without one, or the second time, the run ends",
};

/**
 * A person's no with a note sends the step back once; without a note, or the second time, it ends the run.
 * @rule C-18 (declaration) After research and after planning a person is asked where the mode says so; without an
 *   answer the run parks.
 */
export async function approved<T>(
  { loop, ask }: Pick<Verbs<unknown>, "loop" | "ask">,
  context: FeatureContext,
  { title, step, work, agreed, unread }: Step<T>,
): Promise<T> {
  let wish = "";
  const { result, ended, by } = await loop({ max: 1 + RETURNS }, async ({ round }) => {
    if (round > 1) await context.doubt([step], "a person sent it back");
    const { summary, brief, documents, result, announces = [] } = await work(wish);
    if (round > 1) await context.settle();
    const question = { title, show: summary, choices: ["proceed", "refuse"], auto: "proceed" } as const;
    const about = {
      ...(brief ? { brief } : {}),
      announces,
      revises: "refuse",
      paths: documents.map(context.at),
      tree: context.tree,
    } as const;
    const { choice, note = "", by, decision } = await ask({ ...question, ...about, accepts: "proceed", leads: LEADS });
    if (choice === "refuse" && !note.trim()) return context.halt(`step ${step} was refused by a person`);
    await context.hear(`${choice === "refuse" ? "sent back" : "agreed"} after step ${step}`, note);
    wish = note;
    return { result, by, decision };
  });
  if (ended === "passed") await (by === "automatic" ? unread : agreed)?.(result);
  return ended === "passed" ? result : context.halt(`step ${step} was refused by a person again: ${wish}`);
}
