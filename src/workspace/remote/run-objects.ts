import { line } from "../repository/git.ts";
import { ownedByNobody } from "../repository/git-process.ts";
import { lostObject } from "../repository/lost-object.ts";
import type { Store } from "../repository/store.ts";
import { needsId } from "../repository/tree-id.ts";
import type { Remote } from "./remote.ts";

/** What this process knows of the objects of one run; all who work on the run here share it. */
export type RunObjects = {
  readonly run: string;
  /**
   * On the remote and here, by the id that they are asked for by: the commit that carries them. A tree travels in a
   * commit, because some servers take no other refs, and because git leaves out what the commits before it brought.
   */
  readonly carried: Map<string, string>;
  /** Made or found here: nobody has to fetch it. */
  readonly here: Set<string>;
  /** One fetch at a time: two that bring the same ref would stand in each other's way. */
  turn: Promise<unknown>;
  /** The newest commit on the remote that is an anchor, as it was read last. */
  newestAnchor: string | undefined;
  /** What an earlier process has left is looked up once. */
  loaded: Promise<void> | undefined;
};

export type ObjectSource = { readonly store: Store; readonly remote: Remote; readonly objects: RunObjects };

export function runObjects(run: string): RunObjects {
  return {
    run,
    carried: new Map(),
    here: new Set(),
    turn: Promise.resolve(),
    newestAnchor: undefined,
    loaded: undefined,
  };
}

/** Fetches what is not here, all in one; says what is nowhere. */
export async function obtainMissing(source: ObjectSource, ids: Iterable<string>): Promise<ReadonlySet<string>> {
  const { objects } = source;
  objects.loaded ??= loadOnce(source);
  await objects.loaded;
  const wanted = [...ids].map(needsId);
  if (wanted.every((id) => isKnown(objects, id))) return new Set();
  const mine = objects.turn.then(() => fetchMissing(source, wanted));
  objects.turn = mine.catch(() => undefined);
  return mine;
}

export function lostOnRemote(id: string): Error {
  return lostObject(`missing object ${id}`) ?? new Error(`${id} is nowhere`);
}

export function isKnown({ carried, here }: RunObjects, id: string): boolean {
  return carried.has(id) || here.has(id);
}

/** All who come to the run here wait for it; where it comes to nothing, the next one looks again. */
function loadOnce(source: ObjectSource): Promise<void> {
  return ownedByNobody(() => loadRefs(source)).catch((error: unknown) => {
    source.objects.loaded = undefined;
    throw error;
  });
}

/** Refs of ours that hold a commit are copies of the remote's: what was only pinned here is held as a tree. */
export async function loadRefs({ store, objects }: ObjectSource): Promise<void> {
  const format = "--format=%(objectname) %(tree) %(refname:lstrip=4)";
  const rows = line(
    await store.repository.ask(["for-each-ref", format, ...FOLDERS.map((name) => below(objects, name))]),
  );
  for (const row of rows.split("\n")) {
    const [commit = "", tree = "", id = ""] = row.split(" ");
    // By its hash and not by its name: somebody else may have put another commit there.
    if (tree !== "" && (id === commit || id === tree)) objects.carried.set(id, commit);
  }
}

const FOLDERS = ["t", "base", "commit"] as const;
const below = ({ run }: RunObjects, folder: string): string => `refs/signalbox/${run}/${folder}/`;

async function fetchMissing(source: ObjectSource, wanted: readonly string[]): Promise<ReadonlySet<string>> {
  const { objects, remote } = source;
  const missing = () => wanted.filter((id) => !isKnown(objects, id));
  if (missing().length === 0) return new Set();
  const own = (id: string) => `+refs/signalbox/${objects.run}/*/${id}:refs/signalbox/${objects.run}/*/${id}`;
  await remote.fetch(missing().map(own));
  await loadRefs(source);
  for (const id of missing()) if (await isWhole(source, id)) objects.here.add(id);
  if (missing().length === 0) return new Set();
  // A run may look at what another one left.
  await remote.fetch(missing().map((id) => `+refs/signalbox/*/t/${id}:refs/signalbox/*/t/${id}`));
  for (const id of missing()) if (await isWhole(source, id)) objects.here.add(id);
  return new Set(missing());
}

/** With all that it holds: what a killed git has left may lack a part. */
async function isWhole({ store }: ObjectSource, id: string): Promise<boolean> {
  const asked = ["rev-list", "--no-walk", "--objects", "--quiet", id];
  return (await store.repository.ask(asked, { answers: [128] })).code === 0;
}
