import type { CopiedRunFiles, RunFile, RunFiles } from "../../core/ports/workspace.ts";
import { listTreeChanges, readCheckoutFile, readTreeFile } from "../read/files.ts";
import { readSmallBlobs } from "../read/small-blobs.ts";
import { getLine } from "../repository/git.ts";
import { normalizePath } from "../repository/path-inside.ts";
import { replaceFile } from "../repository/replace-file.ts";
import { formatCheckoutRef, type RunCheckout, readCheckout } from "./checkout-record.ts";
import type { ObjectTravel } from "./travel.ts";

/** A run's checkout on the remote: the newest commit under its ref, and its record. */
export type RemoteCheckout = { readonly id: string; readonly record: RunCheckout | undefined };

/** Any member who can push can write that ref. An unreadable record is reported but does not prevent landing. */
export async function findCheckout({ store, remote, objects }: ObjectTravel): Promise<RemoteCheckout | undefined> {
  const ref = formatCheckoutRef(objects.run);
  if (!(await remote.fetch([`+${ref}:${ref}`]))) return undefined;
  const found = ["rev-parse", "-q", "--verify", `${ref}^{commit}`];
  const id = getLine(await store.repository.ask(found, { answers: [1, 128] }));
  if (id === "") return undefined;
  return { id, record: await readCheckout(store, objects.run, id).catch(() => undefined) };
}

/**
 * Writes the files that a run changed in its checkout into the person's checkout: the paths and contents that its
 * journal names, each only if the person's file is what the run started from, read or wrote before. Safe to repeat.
 */
export async function copyCheckout(
  travel: ObjectTravel,
  left: RemoteCheckout | undefined,
  files: RunFiles,
): Promise<CopiedRunFiles> {
  const { store } = travel;
  const texts = left === undefined ? new Map<string, string>() : await findTexts(travel, left.id, files.written);
  const brought: string[] = [];
  const edited: string[] = [];
  for (const [path, text] of texts) {
    const theirs = await readCheckoutFile(store.repository, path);
    if (theirs?.text === text) continue;
    const before = await readTreeFile(store, files.base, path);
    const isTheirs = theirs?.hash !== before?.hash && !(theirs && files.known.has(theirs.hash));
    if (isTheirs) edited.push(path);
    else {
      await replaceFile({ top: store.repository.top, path, text });
      brought.push(path);
    }
  }
  return {
    brought: brought.sort(),
    edited: edited.sort(),
    refused: await listRefused(travel, left, { texts, known: files.known }),
  };
}

/** How far back the ref's history is searched for a file that was overwritten by a push. */
const MOST_COMMITS = 1_000;
/** Maximum size in bytes of a copied file. */
const LARGEST = 4_000_000;

/** Finds the content of each file that the run wrote, in the newest commit that has it. */
async function findTexts(
  { store }: ObjectTravel,
  id: string,
  written: readonly RunFile[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const search = async (commits: readonly string[]): Promise<void> => {
    for (const { path, isWritten } of written) {
      const inside = normalizePath(path);
      if (inside === undefined || found.has(inside)) continue;
      const names = commits.map((commit) => `${commit}:${inside}`).filter((name) => !name.includes("\n"));
      const texts = await readSmallBlobs(store, { names, most: LARGEST });
      const text = texts.find((each) => each !== undefined && isWritten(each));
      if (text !== undefined) found.set(inside, text);
    }
  };
  await search([id]);
  const listed = getLine(await store.ask(["rev-list", "--topo-order", `--max-count=${MOST_COMMITS}`, `${id}^@`]));
  if (found.size < written.length) await search(listed.split("\n").filter(Boolean));
  return found;
}

/** Lists content under the ref that the run did not write. */
async function listRefused(
  { store, objects }: ObjectTravel,
  left: RemoteCheckout | undefined,
  { texts, known }: { readonly texts: ReadonlyMap<string, string>; readonly known: ReadonlySet<string> },
): Promise<readonly string[]> {
  if (left === undefined) return [];
  const { record } = left;
  if (record === undefined) return [formatCheckoutRef(objects.run)];
  const begun =
    record.begun === undefined ? record : await readCheckout(store, objects.run, record.begun).catch(() => undefined);
  if (begun === undefined) return [formatCheckoutRef(objects.run)];
  const changes = await listTreeChanges(store, begun.tree, record.tree);
  const different = changes.map(async ({ path }) => {
    const text = texts.get(path);
    const now = await readTreeFile(store, record.tree, path);
    // An earlier text of the run, which it replaced later or a cancellation reverted, is its own.
    return now && (now.text === text || known.has(now.hash)) ? [] : [path];
  });
  return (await Promise.all(different)).flat();
}
