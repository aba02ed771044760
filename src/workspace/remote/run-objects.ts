import { getLine } from "../repository/git.ts";
import { runUnowned } from "../repository/git-process.ts";
import type { GitStore } from "../repository/git-store.ts";
import { toLostObjectError } from "../repository/lost-object.ts";
import { requireId } from "../repository/object-id.ts";
import type { Remote } from "./remote.ts";

/** This process's knowledge of the objects of one run, shared by all work on the run here. */
export type RunObjects = {
  readonly run: string;
  /**
   * Objects that are on the remote and here: the requested id, and the commit that carries it. Trees travel in commits,
   * because some servers accept no other refs and git then omits objects of earlier commits.
   */
  readonly carried: Map<string, string>;
  /** Created or found here, so they need no fetch. */
  readonly here: Set<string>;
  /** Serializes fetches, because two that fetch the same ref would block each other. */
  turn: Promise<unknown>;
  /** The newest commit on the remote that is an anchor, as last read. */
  newestAnchor: string | undefined;
  /** Set once the refs of earlier processes were read. */
  loaded: Promise<void> | undefined;
};

export type ObjectSource = { readonly store: GitStore; readonly remote: Remote; readonly objects: RunObjects };

export function createRunObjects(run: string): RunObjects {
  return {
    run,
    carried: new Map(),
    here: new Set(),
    turn: Promise.resolve(),
    newestAnchor: undefined,
    loaded: undefined,
  };
}

/** Fetches missing objects in one call. Returns the ids that do not exist anywhere. */
export async function obtainMissing(source: ObjectSource, ids: Iterable<string>): Promise<ReadonlySet<string>> {
  const { objects } = source;
  objects.loaded ??= loadOnce(source);
  await objects.loaded;
  const wanted = [...ids].map(requireId);
  if (wanted.every((id) => isKnownObject(objects, id))) return new Set();
  const mine = objects.turn.then(() => fetchMissing(source, wanted));
  objects.turn = mine.catch(() => undefined);
  return mine;
}

export function createLostError(id: string): Error {
  return toLostObjectError(`missing object ${id}`) ?? new Error(`${id} does not exist`);
}

export function isKnownObject({ carried, here }: RunObjects, id: string): boolean {
  return carried.has(id) || here.has(id);
}

/** Shared by all callers of the run here; after a failure the next one tries again. */
function loadOnce(source: ObjectSource): Promise<void> {
  return runUnowned(() => loadRefs(source)).catch((error: unknown) => {
    source.objects.loaded = undefined;
    throw error;
  });
}

/** Our refs that point to commits are copies of the remote's; objects that were only pinned locally are trees. */
export async function loadRefs({ store, objects }: ObjectSource): Promise<void> {
  const format = "--format=%(objectname) %(tree) %(refname:lstrip=4)";
  const rows = getLine(
    await store.repository.ask(["for-each-ref", format, ...FOLDERS.map((name) => formatRefPrefix(objects, name))]),
  );
  for (const row of rows.split("\n")) {
    const [commit = "", tree = "", id = ""] = row.split(" ");
    // Compares the hash instead of the name, because another member may have put another commit there.
    if (tree !== "" && (id === commit || id === tree)) objects.carried.set(id, commit);
  }
}

const FOLDERS = ["t", "base", "commit"] as const;
const formatRefPrefix = ({ run }: RunObjects, folder: string): string => `refs/signalbox/${run}/${folder}/`;

async function fetchMissing(source: ObjectSource, wanted: readonly string[]): Promise<ReadonlySet<string>> {
  const { objects, remote } = source;
  const listMissing = () => wanted.filter((id) => !isKnownObject(objects, id));
  if (listMissing().length === 0) return new Set();
  const formatRefspec = (id: string) => `+refs/signalbox/${objects.run}/*/${id}:refs/signalbox/${objects.run}/*/${id}`;
  await remote.fetch(listMissing().map(formatRefspec));
  await loadRefs(source);
  for (const id of listMissing()) if (await isComplete(source, id)) objects.here.add(id);
  if (listMissing().length === 0) return new Set();
  // A run may read what another run left.
  await remote.fetch(listMissing().map((id) => `+refs/signalbox/*/t/${id}:refs/signalbox/*/t/${id}`));
  for (const id of listMissing()) if (await isComplete(source, id)) objects.here.add(id);
  return new Set(listMissing());
}

/** True if all its objects exist: an interrupted fetch may leave parts missing. */
async function isComplete({ store }: ObjectSource, id: string): Promise<boolean> {
  const asked = ["rev-list", "--no-walk", "--objects", "--quiet", id];
  return (await store.repository.ask(asked, { answers: [128] })).code === 0;
}
