import type { JournalRecord } from "../../core/journal/record.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";

/** How a terminal in the background signals that a person is needed. */
export type AttentionTerms = { readonly bell: boolean; readonly title: boolean };

/** Title only by default, because it disturbs nobody. */
export const ATTENTION: AttentionTerms = { bell: false, title: true };

export type Attention = { heard(record: JournalRecord): void; close(): void };

const BELL = "\u0007";
/** Saves and restores the window title on terminals that support it; others end up without a title. */
const [KEEP, RESTORE] = ["\u001b[22;0t", "\u001b[23;0t"];
const formatTitle = (text: string): string => `\u001b]0;${text}${BELL}`;

export function createAttention(write: (text: string) => void, { bell, title }: AttentionTerms): Attention {
  const open = new Map<string, string>();
  let autonomous = false;
  let kept = false;

  const showTitle = (): void => {
    const [first] = open.values();
    if (!title || first === undefined) return;
    write(`${kept ? "" : KEEP}${formatTitle(`◆ waiting: ${toOneLine(first, 60)}`)}`);
    kept = true;
  };
  const restoreTitle = (): void => {
    if (kept) write(`${formatTitle("")}${RESTORE}`);
    kept = false;
  };

  return {
    heard(record) {
      if (record.type === "run.started") autonomous = record.approvals === "autonomous";
      if (record.type === "approval.requested" && !(autonomous && record.auto !== "never")) {
        open.set(record.approval, record.title);
        if (bell) write(BELL);
        showTitle();
      }
      if (record.type !== "approval.decided" || !open.delete(record.approval)) return;
      if (open.size === 0) restoreTitle();
      else showTitle();
    },
    close: restoreTitle,
  };
}
