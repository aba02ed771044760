import { line } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";

type Wanted = {
  /** As git names objects, such as `<commit>:<path>`. */
  readonly names: readonly string[];
  /** Bytes of the largest that is read. */
  readonly most: number;
};

/** The texts of many small files in two calls of git; undefined for what is no file, is missing or is larger. */
export async function readSmallBlobs(store: Store, { names, most }: Wanted): Promise<readonly (string | undefined)[]> {
  if (names.length === 0) return [];
  const format = "--batch-check=%(objecttype) %(objectsize) %(objectname)";
  const rows = line(await store.ask(["cat-file", format], { input: lines(names) })).split("\n");
  const ids = rows.map((row) => {
    const [type, size, id] = row.split(" ");
    return type === "blob" && Number(size) <= most ? id : undefined;
  });
  const small = [...new Set(ids.filter((id) => id !== undefined))];
  if (small.length === 0) return ids.map(() => undefined);
  const { out } = await store.ask(["cat-file", "--batch"], { input: lines(small) });
  const texts = new Map(parseBatch(out));
  return ids.map((id) => (id === undefined ? undefined : texts.get(id)));
}

const lines = (each: readonly string[]): string => each.map((one) => `${one}\n`).join("");

/** `<id> <type> <size>`, a line break, so many bytes, and a line break again. */
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
