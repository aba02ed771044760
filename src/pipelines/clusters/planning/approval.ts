import type { Announcement } from "../../../core/authoring/announcement.ts";
import type { Brief } from "../../../core/authoring/brief.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { FeatureContext } from "../context.ts";

/**
 * Number of times a person may send a step back.
 * @rule C-47 (policy) Approvals show the step's summary. A refusal with a note repeats the step once; without a note,
 *   or a second time, it ends the run as ERROR.
 */
const RETURNS = 1;

type ApprovalStep<T> = {
  readonly title: string;
  readonly step: string;
  /** Runs the step with the note of the person who sent it back. `summary` is shown to people. */
  readonly work: (wish: string) => Promise<{
    readonly summary: unknown;
    /** Formatted summary, if it shows less than the full one. */
    readonly brief?: Brief;
    /** Behaviour changes that the approval allows. */
    readonly announces?: readonly Announcement[];
    /** Documents of the question, relative to the feature's folder. */
    readonly documents: readonly string[];
    readonly result: T;
  }>;
  /** Called after a person's approval. */
  readonly agreed?: (result: T) => Promise<void>;
  /** Called after an automatic approval. */
  readonly unread?: (result: T) => Promise<void>;
};

const LEADS = {
  proceed: "start the next step",
  refuse: "repeat the step with your note; without one, or a second time, end the run",
};

/**
 * Runs a step until it is approved. A refusal with a note repeats it once; a refusal without one, or a second one, ends
 * the run.
 * @rule C-18 (declaration) The run asks for approval after steps 1 and 4 where the mode requires it, and is suspended
 *   until someone answers.
 */
export async function runUntilApproved<T>(
  { loop, ask }: Pick<Verbs<unknown>, "loop" | "ask">,
  context: FeatureContext,
  { title, step, work, agreed, unread }: ApprovalStep<T>,
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
    if (choice === "refuse" && !note.trim()) return context.halt(`step ${step} was refused without a note`);
    await context.hear(`${choice === "refuse" ? "sent back" : "agreed"} after step ${step}`, note);
    wish = note;
    return { result, by, decision };
  });
  if (ended === "passed") await (by === "automatic" ? unread : agreed)?.(result);
  return ended === "passed" ? result : context.halt(`step ${step} was refused a second time: ${wish}`);
}
