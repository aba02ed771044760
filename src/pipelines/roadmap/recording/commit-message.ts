import { shortened } from "../../commit-text.ts";
import type { Item } from "../choosing/roadmap.ts";
import { oneLine } from "./one-line.ts";

/** What was done in one line, then why: what the item asks for, by which decision, and where it stands. */
export function commitMessage(item: Pick<Item, "id" | "title" | "acceptanceCriteria">, design?: string): string {
  const title = oneLine(item.title);
  const first = shortened(title);
  const criteria = item.acceptanceCriteria.map((each) => `- ${oneLine(each)}`);
  const asked = [`Item ${item.id} of the roadmap asks that:`, ...criteria].join("\n");
  const trailers = [...(design ? [`Design: ${design}`] : []), `Item: ${item.id}`].join("\n");
  return [first, ...(first === title ? [] : [title]), asked, trailers].join("\n\n");
}
