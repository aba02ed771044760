import { addCommitType, describesFault, formatCommitText } from "../../commit-text.ts";
import type { Item } from "../choosing/roadmap.ts";
import { isDesign, isScaffold } from "../item/titles.ts";
import type { ItemAccount } from "../steps.ts";
import { toOneLine } from "./short-text.ts";

type CommittedItem = {
  readonly item: Pick<Item, "id" | "title" | "acceptanceCriteria" | "kind">;
  /** The ADR that the item was built from, or that it wrote. */
  readonly design?: string | undefined;
  readonly account: Pick<ItemAccount, "gates" | "seen" | "accepted">;
};

/** Subject, then the item's criteria, then gates and references. */
export function formatItemCommit({ item, design, account }: CommittedItem): string {
  const { gates, seen, accepted } = account;
  const passed = gates.flatMap((gate) => /^(.*): pass$/.exec(gate)?.[1] ?? []);
  return formatCommitText({
    subject: createSubject(item, design),
    why: [],
    heading: `Roadmap item ${item.id} requires:`,
    parts: item.acceptanceCriteria,
    gates: [`${passed.join(", ")} passed`, ...(seen === undefined ? [] : [seen]), ...accepted],
    rest: [[...(design ? [`Design: ${design}`] : []), `Item: ${item.id}`].join("\n")],
  });
}

/**
 * The two greenfield titles do not describe a change, so they are replaced. A title that describes a fault becomes a
 * fix.
 */
function createSubject({ title, kind }: CommittedItem["item"], design = "its ADR"): string {
  if (isDesign({ title })) return `docs: record the decision in ${design}`;
  if (isScaffold({ title })) return `chore: scaffold the project from ${design}`;
  if (kind !== undefined) return addCommitType(kind === "feature" ? "feat" : kind, title);
  return describesFault(title) ? addCommitType("fix", title) : toOneLine(title);
}
