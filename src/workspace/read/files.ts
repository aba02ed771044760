import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Change, FileContent } from "../../core/authoring/observations.ts";
import { sha256 } from "../../node/digest.ts";
import { splitRecords } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";
import { normalizePath, resolveInsideTop } from "../repository/path-inside.ts";
import type { Repository } from "../repository/repository.ts";

export async function readCheckoutFile(repository: Repository, path: string): Promise<FileContent> {
  const inside = normalizePath(path);
  const real = inside === undefined ? undefined : await resolveInsideTop(repository.top, inside);
  return real === undefined ? null : await readRegular(real);
}

export async function readTreeFile(store: GitStore, tree: string, path: string): Promise<FileContent> {
  const inside = normalizePath(path);
  if (inside === undefined) return null;
  const entry = (await listTreeEntries(store, [requireId(tree), "--", inside])).find((found) => found.path === inside);
  if (entry === undefined || !isRegular(entry)) return null;
  const { out } = await store.ask(["cat-file", "blob", entry.id]);
  return { text: out.toString("utf8"), hash: sha256(out) };
}

/** Tracked files, and untracked ones that are not ignored: the content of a tree of the checkout. */
export async function listCheckoutFiles(repository: Repository, under: string): Promise<readonly string[]> {
  const folder = parseFolder(under);
  if (folder === undefined) return [];
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const config = { "core.excludesFile": repository.excludesFile };
  const { out } = await repository.ask([...args, "--", ...folder], { config });
  const paths = splitRecords(out).map((record) => record.toString("utf8"));
  const regular = await Promise.all(paths.map((path) => isFileOnDisk(join(repository.top, path))));
  return paths.filter((_path, at) => regular[at]).sort();
}

/** All files, ignored ones included. */
export async function listFilesOnDisk(repository: Repository, under: string): Promise<readonly string[]> {
  const folder = parseFolder(under);
  const real = folder === undefined ? undefined : await resolveInsideTop(repository.top, folder[0] ?? "");
  if (folder === undefined || real === undefined) return [];
  const entries = await readdir(real, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(repository.top, join(entry.parentPath, entry.name)))
    .filter((path) => path !== ".git" && !path.startsWith(".git/"))
    .sort();
}

export async function listTreeFiles(store: GitStore, tree: string, under: string): Promise<readonly string[]> {
  const folder = parseFolder(under);
  if (folder === undefined) return [];
  const entries = await listTreeEntries(store, ["-r", requireId(tree), "--", ...folder]);
  return entries
    .filter(isRegular)
    .map((entry) => entry.path)
    .sort();
}

export async function listTreeChanges(store: GitStore, from: string, to: string): Promise<readonly Change[]> {
  const args = ["diff-tree", "-r", "-z", "--name-status", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const { out } = await store.ask([...args, requireId(from), requireId(to)]);
  const fields = splitRecords(out).map((record) => record.toString("utf8"));
  const changes: Change[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const status = fields[at] === "A" ? "added" : fields[at] === "D" ? "deleted" : "modified";
    changes.push({ path: fields[at + 1] ?? "", status });
  }
  return changes;
}

type TreeEntry = { readonly mode: string; readonly id: string; readonly path: string };

export async function listTreeEntries(store: GitStore, args: readonly string[]): Promise<TreeEntry[]> {
  const { out } = await store.ask(["ls-tree", "-z", "--full-tree", ...args]);
  return splitRecords(out).map((record) => {
    const text = record.toString("utf8");
    const tab = text.indexOf("\t");
    const [mode = "", , id = ""] = text.slice(0, tab).split(" ");
    return { mode, id, path: text.slice(tab + 1) };
  });
}

function isRegular(entry: TreeEntry): boolean {
  return entry.mode.startsWith("100");
}

/** The folder as arguments: none for the whole tree, undefined if it is outside the repository. */
function parseFolder(under: string): string[] | undefined {
  if (under === "" || under === "." || under === "./") return [];
  const inside = normalizePath(under);
  return inside === undefined ? undefined : [inside];
}

async function isFileOnDisk(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() ?? false;
}

async function readRegular(path: string): Promise<FileContent> {
  // Neither follows links nor blocks: a link or a FIFO is not a file.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    if (!(await handle.stat()).isFile()) return null;
    const content = await handle.readFile();
    return { text: content.toString("utf8"), hash: sha256(content) };
  } finally {
    await handle.close();
  }
}
