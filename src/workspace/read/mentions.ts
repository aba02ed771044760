import type { TextMention } from "../../core/ports/workspace.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";
import { listLinkMentions } from "./links.ts";

/** A larger result is useless. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_LINES = 100_000;
/** Limit for all words together, because git holds the pattern in memory. */
const MOST_CHARS = 64 * 1024;

/**
 * Searches objects without a checkout. Reads every file as text, because a NUL would hide a source file. Joins the
 * words into one pattern: with several, git would search to the end of the file for each, on every line.
 */
export async function findMentions(
  store: GitStore,
  tree: string,
  words: readonly string[],
): Promise<readonly TextMention[] | undefined> {
  const id = requireId(tree);
  const plain = words.filter((word) => word !== "" && !/[\n\0]/.test(word));
  if (plain.length === 0) return [];
  const pattern = plain.map(escapeWord).join("|");
  if (pattern.length > MOST_CHARS) return undefined;
  const args = ["grep", "-a", "-E", "-z", "--no-color", "--no-textconv", "--full-name", "-f", "-", id];
  const { out, cut } = await store.ask(args, { input: `${pattern}\n`, answers: [1], mostBytes: MOST_BYTES });
  const found = cut ? undefined : parseMentions(out, `${id}:`.length);
  return (
    found && [
      ...found,
      ...(await listLinkMentions(store, id)).filter(({ text }) => plain.some((word) => text.includes(word))),
    ]
  );
}

function escapeWord(word: string): string {
  return word.replaceAll(/[\\.*+?^$()[\]{}|]/g, "\\$&");
}

/**
 * `tree:path`, NUL, the line, a line feed, repeated. A path may contain line feeds and a line NULs. Returns undefined
 * if there are too many.
 */
function parseMentions(out: Buffer, skip: number): readonly TextMention[] | undefined {
  const found: TextMention[] = [];
  for (let from = 0; from < out.length; ) {
    if (found.length === MOST_LINES) return undefined;
    const middle = out.indexOf(0, from);
    const end = out.indexOf("\n", middle);
    const path = out.toString("utf8", from + skip, middle);
    found.push({ path, text: out.toString("utf8", middle + 1, end < 0 ? out.length : end) });
    from = end < 0 ? out.length : end + 1;
  }
  return found;
}
