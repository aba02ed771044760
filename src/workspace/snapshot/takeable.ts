import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, open, readlink, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { Candidate } from "./candidates.ts";
import { isGitName } from "./inside.ts";

/** `refused`: a difference of a kind that no tree takes over. */
export type Judgement = "same" | "changed" | "refused";

const SUBMODULE = "160000";
const LINK = "120000";

/** Regular files and links that stay inside; no pipe, device, repository, nor anything with git's own name. */
export async function judge(dir: string, candidate: Candidate, objectFormat: string): Promise<Judgement> {
  if (candidate.nameless || candidate.was?.mode === SUBMODULE) return "refused";
  if (candidate.path.split("/").some(isGitName)) return "refused";
  if (candidate.gone) return "changed";
  const path = join(dir, candidate.path);
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) return judgeLink(dir, candidate, objectFormat);
  if (found?.isFile()) return judgeFile({ path, found, candidate, objectFormat });
  return "refused";
}

type File = { path: string; found: Stats; candidate: Candidate; objectFormat: string };

async function judgeFile({ path, found, candidate, objectFormat }: File): Promise<Judgement> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return "refused";
  try {
    const mode = found.mode & 0o100 ? "100755" : "100644";
    if (candidate.was?.mode !== mode) return "changed";
    const hash = createHash(objectFormat).update(`blob ${found.size}\0`);
    for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk);
    return hash.digest("hex") === candidate.was.id ? "same" : "changed";
  } finally {
    await handle.close();
  }
}

async function judgeLink(dir: string, { path, was }: Candidate, objectFormat: string): Promise<Judgement> {
  const target = await readlink(join(dir, path));
  const text = Buffer.from(target, "utf8");
  const id = createHash(objectFormat).update(`blob ${text.length}\0`).update(text).digest("hex");
  if (was?.mode === LINK && was.id === id) return "same";
  return staysInside(path, target) && (await leadsInside(dir, path, target)) ? "changed" : "refused";
}

/** By its text: up at most to the top, and never up again after going down, which could start behind another link. */
function staysInside(path: string, target: string): boolean {
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const down = parts.findIndex((part) => part !== "..");
  const up = down < 0 ? parts.length : down;
  const rest = parts.slice(up);
  const depth = path.split("/").length - 1;
  return !target.startsWith("/") && up <= depth && !rest.some((part) => part === ".." || isGitName(part));
}

/** And in fact, by way of links that were there before, as far as the target exists. */
async function leadsInside(dir: string, path: string, target: string): Promise<boolean> {
  const top = await realpath(dir);
  let place = join(top, dirname(path), target);
  let real = await realpath(place).catch(() => undefined);
  while (real === undefined) {
    place = dirname(place);
    real = await realpath(place).catch(() => undefined);
  }
  return real === top || real.startsWith(top + sep);
}
