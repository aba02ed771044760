import { counted } from "../../../core/text/counted.ts";
import type { RunPage } from "../../../views/page/page.ts";
import { oneLine } from "../clean-text.ts";
import { glyphOf } from "../glyph.ts";
import { sided } from "./fit.ts";
import type { View } from "./region.ts";
import { seconds } from "./seconds.ts";

/** Formats the number of open questions and the oldest one. */
export function questionLines({ rows }: RunPage, { columns, look, now, keys }: View): string[] {
  const open = rows.filter((row) => row.kind === "question" && row.answer === null && row.state === "waiting");
  const [first] = open;
  if (first?.kind !== "question") return [];
  const { paint } = look;
  const left = `${glyphOf(look, "waiting")} ${counted(open.length, "question")}: ${paint.bold(oneLine(first.title, 60))}`;
  const about = `${first.approval}  waiting ${seconds(now - first.askedAt)}`;
  const key = keys.some(({ key: each }) => each === "a") ? `${paint.cyan("a")} answer` : "";
  const line = sided({ left: `${left}  ${paint.dim(about)}`, right: key }, columns);
  return line.length === 1 ? line : sided({ left, right: key }, columns).slice(0, 1);
}
