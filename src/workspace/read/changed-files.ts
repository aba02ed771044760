import type { ChangedFile } from "../../core/ports/workspace.ts";
import { splitRecords } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";

const PLAIN = ["diff-tree", "-r", "-M", "--no-ext-diff", "--no-textconv", "--no-color"];

/** Lists every file that differs, renames as one entry, with added and removed lines. */
export async function listChangedFiles(store: GitStore, from: string, to: string): Promise<readonly ChangedFile[]> {
  const between = [requireId(from), requireId(to)];
  const [names, numbers] = await Promise.all([
    store.ask([...PLAIN, "-z", "--name-status", ...between]),
    store.ask([...PLAIN, "-z", "--numstat", ...between]),
  ]);
  const counts = parseCounts(splitFields(numbers.out));
  return parseNames(splitFields(names.out)).map((file) => ({ ...file, ...(counts.get(file.path) ?? NONE) }));
}

const NONE = { added: 0, removed: 0, binary: false };

function splitFields(out: Buffer): string[] {
  return splitRecords(out).map((record) => record.toString("utf8"));
}

type NamedChange = Pick<ChangedFile, "path" | "oldPath" | "status">;

/** `M`, path; `R090`, old path, new path. */
function parseNames(fields: string[]): NamedChange[] {
  const files: NamedChange[] = [];
  while (fields.length > 1) {
    const sign = fields.shift()?.charAt(0);
    const path = fields.shift() ?? "";
    if (sign === "R") files.push({ status: "R", oldPath: path, path: fields.shift() ?? "" });
    else files.push({ status: sign === "A" || sign === "D" ? sign : "M", path });
  }
  return files;
}

type LineCounts = Omit<ChangedFile, keyof NamedChange>;

/**
 * `3<TAB>1<TAB>path`. For a rename the path is empty, and the old and the new one follow. For a binary file both
 * numbers are `-`.
 */
function parseCounts(fields: string[]): ReadonlyMap<string, LineCounts> {
  const counts = new Map<string, LineCounts>();
  while (fields.length > 0) {
    const [added = "", removed = "", ...rest] = (fields.shift() ?? "").split("\t");
    const same = rest.join("\t");
    const path = same === "" ? (fields.splice(0, 2).at(1) ?? "") : same;
    counts.set(path, { added: Number(added) || 0, removed: Number(removed) || 0, binary: added === "-" });
  }
  return counts;
}

/** Maximum size of a patch that is kept in memory. */
const MOST_BYTES = 8 * 1024 * 1024;

/** The unified diff of the given paths, taken literally. */
export async function formatPatch(
  store: GitStore,
  range: { readonly from: string; readonly to: string; readonly paths: readonly string[] },
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const args = [...PLAIN, "-p", "--full-index", requireId(range.from), requireId(range.to), "--", ...range.paths];
  const { out, cut } = await store.ask(args, { mostBytes: MOST_BYTES, env: { GIT_LITERAL_PATHSPECS: "1" } });
  return { text: (cut ? out.subarray(0, out.lastIndexOf("\n") + 1) : out).toString("utf8"), cut: cut === true };
}
