import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { sha256 } from "../../node/digest.ts";
import { readOutside } from "../../node/outside-file.ts";
import { MOST_OF_FILE } from "../snapshot/bounds.ts";
import { needsPathInside, realInside } from "./inside.ts";

export type Replacement = {
  readonly top: string;
  readonly path: string;
  readonly text: string;
  readonly ifHash?: string;
};

/** Old content or new content, never a mixture, and after a power cut the new one if this returned. */
export async function replaceFile({ top, path, text, ifHash }: Replacement): Promise<{ readonly hash: string }> {
  const real = await realInside(top, needsPathInside(path));
  if (real === undefined) throw leadsOutside(path);
  const found = await lstat(real).catch(() => undefined);
  if (found?.isDirectory()) throw refused(path, "it is a folder", "Name a file.");
  if (ifHash !== undefined && (await holds({ real, path, text, ifHash }))) return { hash: sha256(text) };
  await mkdir(dirname(real), { recursive: true });
  await put(real, text, found?.isFile() ? found.mode & 0o777 : undefined);
  return { hash: sha256(text) };
}

type Expected = { readonly real: string; readonly path: string; readonly text: string; readonly ifHash: string };

/** True when the file has the new text already: an engine that died after writing it must be able to say so again. */
async function holds({ real, path, text, ifHash }: Expected): Promise<boolean> {
  const read = readOutside(real, MOST_OF_FILE);
  const hash = read.ok ? sha256(read.bytes) : undefined;
  if (hash === sha256(text)) return true;
  if (hash === ifHash) return false;
  const now = hash === undefined ? "it is gone" : "it was edited since the run looked at it";
  throw refused(path, now, "Keep the edit or undo it, then resume the run.");
}

async function put(real: string, text: string, mode: number | undefined): Promise<void> {
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
  // The rename itself is an entry of the folder, which has to reach the disk too.
  const folder = await open(dirname(real), "r");
  await folder.sync().finally(() => folder.close());
}

function leadsOutside(path: string): SignalboxError {
  return refused(
    path,
    "a link in its path leads out of the repository",
    "Replace the link by a folder, or name another path.",
  );
}

function refused(path: string, because: string, hint: string): SignalboxError {
  return new SignalboxError("WRITE_REFUSED", `${path} was not written: ${because}`, hint);
}
