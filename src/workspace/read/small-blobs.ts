import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";

type BlobRequest = {
  /** Object names for git, such as `<commit>:<path>`. */
  readonly names: readonly string[];
  /** Maximum size in bytes. */
  readonly most: number;
};

/**
 * Reads many small files in two git calls. The result is undefined for entries that are missing, too large or not
 * files.
 */
export async function readSmallBlobs(
  store: GitStore,
  { names, most }: BlobRequest,
): Promise<readonly (string | undefined)[]> {
  if (names.length === 0) return [];
  const format = "--batch-check=%(objecttype) %(objectsize) %(objectname)";
  const rows = getLine(await store.ask(["cat-file", format], { input: joinLines(names) })).split("\n");
  const ids = rows.map((row) => {
    const [type, size, id] = row.split(" ");
    return type === "blob" && Number(size) <= most ? id : undefined;
  });
  const small = [...new Set(ids.filter((id) => id !== undefined))];
  if (small.length === 0) return ids.map(() => undefined);
  const { out } = await store.ask(["cat-file", "--batch"], { input: joinLines(small) });
  const texts = new Map(parseBatch(out));
  return ids.map((id) => (id === undefined ? undefined : texts.get(id)));
}

const joinLines = (each: readonly string[]): string => each.map((one) => `${one}\n`).join("");

/** `<id> <type> <size>`, a line feed, the bytes, a line feed. */
function parseBatch(out: Buffer): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; at < out.length; ) {
    const begin = out.indexOf("\n", at) + 1;
    const [id = "", , size = "0"] = out.toString("utf8", at, begin - 1).split(" ");
    const end = begin + Number(size);
    found.push([id, out.toString("utf8", begin, end)]);
    at = end + 1;
  }
  return found;
}
