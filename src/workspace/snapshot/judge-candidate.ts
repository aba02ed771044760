import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, open, readlink, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isWithin } from "../../node/containment.ts";
import type { GitStore } from "../repository/git-store.ts";
import { isGitName } from "../repository/path-inside.ts";
import type { SnapshotCandidate } from "./candidates.ts";

/** `refused`: a difference that cannot be included in a tree. */
export type CandidateJudgement = "same" | "changed" | "refused";

const LARGE = 8 * 1024 * 1024;
const SUBMODULE = "160000";
const LINK = "120000";

/** `whole`: set if the folder contains only a part of the tree. */
type JudgedFolder = { readonly dir: string; readonly whole?: string };

/** Accepts regular files and links that stay inside; no FIFOs, devices, repositories or git's own names. */
export async function judgeCandidate(
  store: GitStore,
  { dir, whole }: JudgedFolder,
  candidate: SnapshotCandidate,
): Promise<CandidateJudgement> {
  if (candidate.nameless || candidate.was?.mode === SUBMODULE) return "refused";
  if (candidate.path.split("/").some(isGitName)) return "refused";
  if (candidate.gone) return "changed";
  const path = join(dir, candidate.path);
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    const judged = await judgeLink(dir, candidate, store.repository.objectFormat);
    // The target cannot be checked without the rest of the tree.
    return judged === "changed" && whole !== undefined ? "refused" : judged;
  }
  if (found?.isFile()) return judgeFile(store, { path, found, candidate });
  return "refused";
}

type JudgedFile = { readonly path: string; readonly found: Stats; readonly candidate: SnapshotCandidate };

async function judgeFile(store: GitStore, { path, found, candidate }: JudgedFile): Promise<CandidateJudgement> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return "refused";
  try {
    const mode = found.mode & 0o100 ? "100755" : "100644";
    if (candidate.was?.mode !== mode) return "changed";
    if (found.size > LARGE && !(await hasSize(store, candidate.was.id, found.size))) return "changed";
    const hash = createHash(store.repository.objectFormat).update(`blob ${found.size}\0`);
    for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk);
    return hash.digest("hex") === candidate.was.id ? "same" : "changed";
  } finally {
    await handle.close();
  }
}

/** Compares the size of large files first, to avoid reading more than the tree has. */
async function hasSize(store: GitStore, id: string, size: number): Promise<boolean> {
  const { code, out } = await store.ask(["cat-file", "-s", id], { answers: [128] });
  return code === 0 && Number(out.toString("utf8")) === size;
}

async function judgeLink(
  dir: string,
  { path, was }: SnapshotCandidate,
  objectFormat: string,
): Promise<CandidateJudgement> {
  const target = await readlink(join(dir, path));
  const text = Buffer.from(target, "utf8");
  const id = createHash(objectFormat).update(`blob ${text.length}\0`).update(text).digest("hex");
  if (was?.mode === LINK && was.id === id) return "same";
  return isTextInside(path, target) && (await isTargetInside(dir, path, target)) ? "changed" : "refused";
}

/**
 * Checks the text of a link: it may go up at most to the top, and not up again after going down, which could start
 * behind another link.
 */
function isTextInside(path: string, target: string): boolean {
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const down = parts.findIndex((part) => part !== "..");
  const up = down < 0 ? parts.length : down;
  const rest = parts.slice(up);
  const depth = path.split("/").length - 1;
  return !target.startsWith("/") && up <= depth && !rest.some((part) => part === ".." || isGitName(part));
}

/** Checks the resolved target, as far as it exists, through links that existed before. */
async function isTargetInside(dir: string, path: string, target: string): Promise<boolean> {
  const top = await realpath(dir);
  let place = join(top, dirname(path), target);
  let real = await realpath(place).catch(() => undefined);
  while (real === undefined) {
    place = dirname(place);
    real = await realpath(place).catch(() => undefined);
  }
  return isWithin(real, top);
}
