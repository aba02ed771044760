import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { RenderedFile } from "../../core/journal/effect.ts";
import { listNewlyEmbedded } from "../repository/embedded-repositories.ts";
import { getLine } from "../repository/git.ts";
import { type GitStore, writeTree } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";
import { requirePathInside } from "../repository/path-inside.ts";

/** Returns the tree with these files replaced. A link or an executable becomes a plain file. */
export async function renderFiles(store: GitStore, tree: string, files: readonly RenderedFile[]): Promise<string> {
  const id = requireId(tree);
  const paths = files.map((file) => requirePathInside(file.path));
  if (files.length === 0) return id;
  return store.withIndex(async (index) => {
    const env = { GIT_INDEX_FILE: index };
    const [blobs] = await Promise.all([writeBlobs(store, files), store.ask(["read-tree", id], { env })]);
    const input = paths.map((path, at) => `100644 ${blobs[at]}\t${path}\0`).join("");
    await store.ask(["update-index", "--replace", "-z", "--index-info"], { env, input });
    const made = await writeTree(store, index);
    await refuseRepository(store, made, id);
    return made;
  });
}

async function refuseRepository(store: GitStore, made: string, onto: string): Promise<void> {
  const inside = await listNewlyEmbedded(store, made, [onto]);
  if (inside.length === 0) return;
  throw new SignalboxError(
    "INPUT_INVALID",
    `The rendered files would make a git repository of ${inside.join(", ")}`,
    "Rename the file, or write it to another folder.",
  );
}

/** Writes numbered files, because git takes many contents at once only as paths, one per line. */
async function writeBlobs(store: GitStore, files: readonly RenderedFile[]): Promise<string[]> {
  const dir = await mkdtemp(join(store.dir, "scratch", "render-"));
  try {
    await Promise.all(files.map((file, at) => writeFile(join(dir, String(at)), file.text)));
    const input = files.map((_file, at) => `${at}\n`).join("");
    const args = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
    return getLine(await store.ask(args, { cwd: dir, input })).split("\n");
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
