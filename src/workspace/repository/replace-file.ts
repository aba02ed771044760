import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { sha256 } from "../../node/digest.ts";
import { readOutside } from "../../node/outside-file.ts";
import { MOST_OF_FILE } from "../snapshot/bounds.ts";
import { requirePathInside, resolveInsideTop } from "./path-inside.ts";

export type FileReplacement = {
  readonly top: string;
  readonly path: string;
  readonly text: string;
  readonly ifHash?: string;
};

/** Replaces a file atomically. When this returns, the new content survives a power cut. */
export async function replaceFile({ top, path, text, ifHash }: FileReplacement): Promise<{ readonly hash: string }> {
  const real = await resolveInsideTop(top, requirePathInside(path));
  if (real === undefined) throw createOutsideError(path);
  const found = await lstat(real).catch(() => undefined);
  if (found?.isDirectory()) throw createWriteRefusedError(path, "it is a folder", "Use a file path.");
  if (ifHash !== undefined && (await hasNewText({ real, path, text, ifHash }))) return { hash: sha256(text) };
  await mkdir(dirname(real), { recursive: true });
  await putFile(real, text, found?.isFile() ? found.mode & 0o777 : undefined);
  return { hash: sha256(text) };
}

type ExpectedContent = { readonly real: string; readonly path: string; readonly text: string; readonly ifHash: string };

/** True if the file has the new text already: an engine that died after writing it repeats the call. */
async function hasNewText({ real, path, text, ifHash }: ExpectedContent): Promise<boolean> {
  const read = readOutside(real, MOST_OF_FILE);
  const hash = read.ok ? sha256(read.bytes) : undefined;
  if (hash === sha256(text)) return true;
  if (hash === ifHash) return false;
  const now = hash === undefined ? "it was deleted" : "it was edited after the run read it";
  throw createWriteRefusedError(path, now, "Keep the edit or undo it, then resume the run.");
}

async function putFile(real: string, text: string, mode: number | undefined): Promise<void> {
  const fresh = join(dirname(real), `.signalbox-${randomUUID()}.tmp`);
  try {
    const handle = await open(fresh, "wx");
    try {
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, real);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
  // The rename changes the folder, which has to be flushed too.
  const folder = await open(dirname(real), "r");
  await folder.sync().finally(() => folder.close());
}

function createOutsideError(path: string): SignalboxError {
  return createWriteRefusedError(
    path,
    "a link in its path leads out of the repository",
    "Replace the link with a folder, or use another path.",
  );
}

function createWriteRefusedError(path: string, because: string, hint: string): SignalboxError {
  return new SignalboxError("WRITE_REFUSED", `${path} was not written: ${because}`, hint);
}
