import type { Store } from "./store.ts";
import { needsId } from "./tree-id.ts";

/** More than anybody reads, and little enough to be held. */
const MOST_BYTES = 2 * 1024 * 1024;

/** As text that any tool reads: no colours, no program of the user's, renames as one entry. */
export async function diffText(store: Store, from: string, to: string): Promise<string> {
  const args = ["diff-tree", "-r", "-p", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index"];
  const { out, cut } = await store.ask([...args, needsId(from), needsId(to)], { mostBytes: MOST_BYTES });
  if (!cut) return out.toString("utf8");
  const whole = out.subarray(0, out.lastIndexOf("\n") + 1).toString("utf8");
  return `${whole}# cut after ${whole.length} characters; all of it: git diff ${from} ${to}\n`;
}
