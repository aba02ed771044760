import { z } from "zod";
import { type Brief, briefOf, filesSection } from "../../../core/authoring/brief.ts";
import type { ItemAccount } from "../steps.ts";

/** Result of an item, shown when the person is asked whether to continue. */
export type DoneItem = {
  readonly account: Pick<ItemAccount, "seen" | "outputs" | "findings" | "accepted" | "notRun">;
  readonly branch: string;
  readonly message: string;
  readonly changed: readonly string[];
  readonly next: string;
};

export function formatDoneItem({ account, branch, message, changed, next }: DoneItem): Brief {
  const { seen, outputs, findings, accepted, notRun } = account;
  const { verdict, failures } = ReviewOutput.parse(outputs["Review"] ?? {});
  const [subject = ""] = message.split("\n");
  return briefOf([
    { title: "Committed", lines: [`on ${branch}: ${subject}`] },
    filesSection("Changed files", changed),
    { title: "Checks", lines: [seen ?? "none were run", ...accepted] },
    { title: "Checks of the item that were not run", lines: notRun },
    { title: "Review", lines: [verdict === undefined ? "none: the item has no review step" : verdict, ...failures] },
    { title: "Findings", lines: findings.map((each) => `${each.severity}: ${getFirstLine(each.message)}`) },
    { title: "Next", lines: [next] },
  ]);
}

const ReviewOutput = z.object({
  verdict: z.string().optional(),
  failures: z.array(z.string().transform(getFirstLine)).default([]),
});

function getFirstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
