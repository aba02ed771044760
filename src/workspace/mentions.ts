import type { Mention } from "../core/ports/workspace.ts";
import { records } from "./git.ts";
import type { Store } from "./store.ts";
import { needsId } from "./tree-id.ts";

/** More is no answer that anybody could weigh. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Searches objects, not files: nothing is checked out, and what git takes for binary is left out. */
export async function seeMentions(
  store: Store,
  tree: string,
  words: readonly string[],
): Promise<readonly Mention[] | undefined> {
  const id = needsId(tree);
  const input = words.filter((word) => word !== "" && !/[\n\0]/.test(word)).join("\n");
  if (input === "") return [];
  const args = ["grep", "-I", "-F", "-z", "--no-color", "--no-textconv", "--full-name", "-f", "-", id];
  const { out, cut } = await store.ask(args, { input: `${input}\n`, answers: [1], mostBytes: MOST_BYTES });
  return cut ? undefined : mentionsIn(out, `${id}:`.length);
}

/** `tree:path`, NUL, the line, a line's end; and so on. */
function mentionsIn(out: Buffer, skip: number): readonly Mention[] {
  const parts = records(out).map((part) => part.toString("utf8"));
  let path = (parts[0] ?? "").slice(skip);
  return parts.slice(1).map((part) => {
    const end = part.indexOf("\n");
    const mention = { path, text: end < 0 ? part : part.slice(0, end) };
    path = part.slice(end + 1 + skip);
    return mention;
  });
}
