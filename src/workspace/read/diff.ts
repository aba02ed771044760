import { matchesAny } from "../../core/checks/guard/glob.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";
import { listTreeChanges } from "./files.ts";

type DiffRange = { readonly from: string; readonly to: string; readonly only?: readonly string[] };

/** Maximum size of a diff that is kept in memory. */
const MOST_BYTES = 2 * 1024 * 1024;

/** A portable diff: no colors, no user programs, renames as one entry. */
export async function formatDiff(store: GitStore, { from, to, only }: DiffRange): Promise<string> {
  const paths = only === undefined ? [] : await selectPaths(store, { from, to, only });
  if (only !== undefined && paths.length === 0) return "";
  const args = ["diff-tree", "-r", "-p", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index"];
  const { out, cut } = await store.ask([...args, requireId(from), requireId(to), "--", ...paths], {
    mostBytes: MOST_BYTES,
  });
  if (!cut) return out.toString("utf8");
  const whole = out.subarray(0, out.lastIndexOf("\n") + 1).toString("utf8");
  return `${whole}# cut after ${whole.length} characters; all of it: git diff ${from} ${to}\n`;
}

/** The number of paths that fit on a command line. */
const MOST_PATHS = 2_000;

async function selectPaths(store: GitStore, { from, to, only }: Required<DiffRange>): Promise<readonly string[]> {
  const changes = await listTreeChanges(store, from, to);
  const named = changes.map(({ path }) => path).filter((path) => matchesAny(path, only));
  return named.slice(0, MOST_PATHS);
}
