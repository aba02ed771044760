import { commitText, namesFault, typed } from "../../commit-text.ts";
import type { Item } from "../choosing/roadmap.ts";
import { isDesign, isScaffold } from "../item/titles.ts";
import type { Account } from "../steps.ts";
import { oneLine } from "./one-line.ts";

type Committed = {
  readonly item: Pick<Item, "id" | "title" | "acceptanceCriteria" | "kind">;
  /** The decision that it was built by, or that it is. */
  readonly design?: string | undefined;
  readonly account: Pick<Account, "gates" | "seen" | "accepted">;
};

/** What was done in one line, then why: what the item asks for; then what it has passed, and where it stands. */
export function commitMessage({ item, design, account }: Committed): string {
  const { gates, seen, accepted } = account;
  const passed = gates.flatMap((gate) => /^(.*): pass$/.exec(gate)?.[1] ?? []);
  return commitText({
    subject: subjectOf(item, design),
    why: [],
    heading: `Item ${item.id} of the roadmap asks that:`,
    parts: item.acceptanceCriteria,
    gates: [`${passed.join(", ")} passed`, ...(seen === undefined ? [] : [seen]), ...accepted],
    rest: [[...(design ? [`Design: ${design}`] : []), `Item: ${item.id}`].join("\n")],
  });
}

/** The two titles that are names of a step say nothing of what changed; a title that says what goes wrong, what was fixed. */
function subjectOf({ title, kind }: Committed["item"], design = "its ADR"): string {
  if (isDesign({ title })) return `docs: record the decision in ${design}`;
  if (isScaffold({ title })) return `chore: scaffold the project from ${design}`;
  if (kind !== undefined) return typed(kind === "feature" ? "feat" : kind, title);
  return namesFault(title) ? typed("fix", title) : oneLine(title);
}
