import { open, readFile, rename } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { WriteRequest } from "../../core/journal/effect.ts";
import { makeOwnFolder } from "../../node/own-folder.ts";
import type { ExecutorDeps } from "./executor.ts";

/** Writes the copy of a rendered file that people can read during the run. The copy is always replaced as a whole. */
export async function writeArtifactCopy(
  parts: ExecutorDeps,
  run: string,
  request: WriteRequest,
): Promise<{ hash: string }> {
  const file = resolveArtifactCopy(parts, run, request);
  makeOwnFolder(dirname(file));
  const fresh = `${file}.${parts.world.newId().slice(0, 8)}`;
  const handle = await open(fresh, "w", 0o600);
  try {
    await handle.writeFile(request.text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
  return { hash: parts.world.hash(request.text) };
}

export async function hasArtifactCopy(parts: ExecutorDeps, run: string, request: WriteRequest): Promise<boolean> {
  const found = await readFile(resolveArtifactCopy(parts, run, request), "utf8").catch(() => undefined);
  return found === request.text;
}

function resolveArtifactCopy(parts: ExecutorDeps, run: string, request: WriteRequest): string {
  const relative = normalize(request.path);
  if (relative.startsWith("..") || relative.startsWith("/")) {
    throw new SignalboxError(
      "USAGE",
      `The path "${request.path}" leads out of the run's folder.`,
      "Write to a relative path below it.",
    );
  }
  return join(parts.runs, run, "artifacts", relative);
}
