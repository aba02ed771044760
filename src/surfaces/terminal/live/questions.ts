import { counted } from "../../../core/text/count.ts";
import type { RunPage } from "../../../views/page/page.ts";
import { toOneLine } from "../clean-text.ts";
import { renderGlyph } from "../glyph.ts";
import { formatSeconds } from "./format-seconds.ts";
import { alignSides } from "./layout.ts";
import type { RegionView } from "./region.ts";

/** Formats the number of open questions and the oldest one. */
export function formatOpenQuestions({ rows }: RunPage, { columns, look, now, keys }: RegionView): string[] {
  const open = rows.filter((row) => row.kind === "question" && row.answer === null && row.state === "waiting");
  const [first] = open;
  if (first?.kind !== "question") return [];
  const { paint } = look;
  const left = `${renderGlyph(look, "waiting")} ${counted(open.length, "question")}: ${paint.bold(toOneLine(first.title, 60))}`;
  const about = `${first.approval}  waiting ${formatSeconds(now - first.askedAt)}`;
  const key = keys.some(({ key: each }) => each === "a") ? `${paint.cyan("a")} answer` : "";
  const line = alignSides({ left: `${left}  ${paint.dim(about)}`, right: key }, columns);
  return line.length === 1 ? line : alignSides({ left, right: key }, columns).slice(0, 1);
}
