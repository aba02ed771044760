import { statfs } from "node:fs/promises";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { CommitRange } from "../read/commit-range.ts";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";

const SUBMODULE = "160000";

/** Throws before anything is moved if the files do not fit on the disk of the checkout. */
export async function requireFreeSpace(store: GitStore, range: CommitRange, branch: string): Promise<void> {
  const { top } = store.repository;
  const disk = await statfs(top).catch(() => undefined);
  if (disk === undefined) return;
  const [free, needed] = [disk.bavail * disk.bsize, await countBytes(store, range, disk.bsize)];
  if (needed <= free) return;
  throw new SignalboxError(
    "DISK_FAILED",
    `Not enough disk space for the files of ${branch} in ${top}: they need ${formatKilobytes(needed)}, and ${formatKilobytes(free)} are free. Nothing was moved`,
    "Free disk space there, then try again.",
  );
}

/** The growth of the checkout; deleted files count as free space. */
async function countBytes(store: GitStore, { changes, kept }: CommitRange, block: number): Promise<number> {
  const written = changes.filter(({ path }) => !kept.includes(path));
  const came = written.flatMap(({ is }) => (is && is.mode !== SUBMODULE ? [is.id] : []));
  const went = written.flatMap(({ was }) => (was && was.mode !== SUBMODULE ? [was.id] : []));
  const ids = [...came, ...went];
  if (ids.length === 0) return 0;
  const asked = await store.ask(["cat-file", "--batch-check=%(objectsize)"], { input: `${ids.join("\n")}\n` });
  const sizes = getLine(asked).split("\n").map(Number);
  const blocks = sizes.map((size) => (Number.isFinite(size) ? Math.ceil(size / block) * block : 0));
  return blocks.reduce((sum, size, at) => sum + (at < came.length ? size : -size), 0);
}

const formatKilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`;
