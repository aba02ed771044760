import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { isRead, isSetupInput, mayRunTree } from "../../../core/checks/setup/setup-inputs.ts";
import type { SetupCommand } from "../../../core/journal/effect.ts";
import type { World } from "../../../core/ports/world.ts";
import { sha256 } from "../../../node/digest.ts";
import { listFolderEntries } from "./folder-entries.ts";

type SetupKeyInput = {
  readonly dir: string;
  readonly tree: string;
  readonly setup: SetupCommand;
  readonly given?: Readonly<Record<string, string>>;
  /** Identifies the repository. */
  readonly runs: string;
  readonly world: World;
};

/**
 * Returns a key over all that the set-up reads and runs of the tree: its inputs for a plain install, else the whole
 * tree. Without a lock file the result is not determined, so there is no key.
 */
export async function computeSetupKey({
  dir,
  tree,
  setup,
  given = {},
  runs,
  world,
}: SetupKeyInput): Promise<string | undefined> {
  if (!setup.lockFile) return undefined;
  const lock = posix.normalize(setup.lockFile);
  const found = await listFolderEntries(dir, (path) => path !== ".git" && !/(?:^|\/)node_modules$/.test(path));
  if (found.get(lock) !== "file") return undefined;
  const words = new Set([lock, ...setup.run.split(/\s+/).map((word) => posix.normalize(word))]);
  const inputs = [...found].filter(([path, kind]) => kind !== "folder" && (isSetupInput(path) || words.has(path)));
  // A link can lead to anything.
  const linked = inputs.some(([, kind]) => kind !== "file");
  const seen = linked ? undefined : await readContents(dir, inputs.map(([path]) => path).sort());
  const plain = seen && !mayRunTree(setup.run, { paths: new Set(found.keys()), texts: seen.texts });
  const covered = plain ? seen.hashes : { tree };
  const variables = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1));
  const all = [runs, setup.run, lock, covered, ...(variables.length > 0 ? [variables] : [])];
  return world.hash(JSON.stringify(all)).slice(0, 32);
}

async function readContents(dir: string, paths: readonly string[]) {
  const hashes: [string, string][] = [];
  const texts = new Map<string, string>();
  for (const path of paths) {
    const content = await readFile(join(dir, path));
    hashes.push([path, sha256(content)]);
    if (isRead(path)) texts.set(path, content.toString("utf8"));
  }
  return { hashes, texts };
}
