import { NEUTRAL_IDENTITY } from "../attempt/identity.ts";
import { pinTree } from "../commit/commit.ts";
import { getLine } from "../repository/git.ts";
import { requireId } from "../repository/object-id.ts";
import type { RefUpdate } from "./push-report.ts";
import { createLostError, type ObjectSource, obtainMissing } from "./run-objects.ts";

/** Fetches and publishes the objects of one piece of work. */
export type ObjectTravel = ObjectSource & {
  /** Makes these objects available here; concurrent calls share one fetch. */
  obtain(...ids: readonly (string | undefined)[]): Promise<void>;
  /** Records that the object was created here. */
  made(id: string): string;
  /** Marks a tree, or a commit with its tree, for publishing. */
  pin(tree: string): Promise<void>;
  hold(commit: string): void;
  /** Pushes everything that is marked; objects that are already there cost nothing. */
  publish(): Promise<void>;
};

/** Maximum number of parents that describe where a tree comes from; each saves sending its objects again. */
const MOST_PARENTS = 8;

export function createTravel(source: ObjectSource): ObjectTravel {
  const { objects, store } = source;
  const parents = new Set<string>();
  const trees = new Set<string>();
  const commits = new Set<string>();
  let batch: { readonly ids: Set<string>; readonly lost: Promise<ReadonlySet<string>> } | undefined;

  const startBatch = (): NonNullable<typeof batch> => {
    const ids = new Set<string>();
    const lost = Promise.resolve().then(() => {
      batch = undefined;
      return obtainMissing(source, ids);
    });
    return { ids, lost };
  };

  return {
    ...source,
    async obtain(...given) {
      const ids = given.filter((id) => id !== undefined);
      batch ??= startBatch();
      const { lost: answer } = batch;
      for (const id of ids) batch.ids.add(id);
      const lost = await answer;
      for (const id of ids) {
        if (lost.has(id)) throw createLostError(id);
        const carrier = objects.carried.get(id);
        if (carrier !== undefined) parents.add(carrier);
      }
    },
    made(id) {
      objects.here.add(id);
      return id;
    },
    async pin(tree) {
      if (objects.carried.has(requireId(tree))) return;
      await pinTree(store, objects.run, tree);
      trees.add(tree);
    },
    hold(commit) {
      if (!objects.carried.has(requireId(commit))) commits.add(commit);
    },
    async publish() {
      const carriers = await createCarriers(source, { trees, commits, parents });
      if (carriers.size > 0) await pushCarriers(source, carriers);
      trees.clear();
      commits.clear();
    },
  };
}

type TravelLoad = {
  readonly trees: ReadonlySet<string>;
  readonly commits: ReadonlySet<string>;
  readonly parents: ReadonlySet<string>;
};

/** Maps the end of each ref name to the commit that is pushed under it. */
async function createCarriers(
  source: ObjectSource,
  { trees, commits, parents }: TravelLoad,
): Promise<Map<string, string>> {
  const { objects, store } = source;
  const carriers = new Map<string, string>();
  for (const commit of commits) {
    carriers.set(`base/${commit}`, commit);
    carriers.set(`t/${getLine(await store.ask(["rev-parse", `${commit}^{tree}`]))}`, commit);
  }
  const own = [...new Set([...parents, ...commits])];
  const before = own.length > 0 ? own : [...new Set(objects.carried.values())].slice(-1);
  for (const tree of trees) {
    if (!objects.carried.has(tree) && !carriers.has(`t/${tree}`))
      carriers.set(`t/${tree}`, await wrapTree(source, tree, before.slice(0, MOST_PARENTS)));
  }
  return carriers;
}

/** Deterministic: the same tree and parents give the same commit on every machine. */
async function wrapTree({ store, objects }: ObjectSource, tree: string, parents: readonly string[]): Promise<string> {
  const args = [
    "commit-tree",
    requireId(tree),
    ...parents.flatMap((parent) => ["-p", parent]),
    "-m",
    `Tree of run ${objects.run}`,
  ];
  return getLine(await store.ask(args, { env: NEUTRAL_IDENTITY }));
}

async function pushCarriers(
  { remote, store, objects }: ObjectSource,
  carriers: ReadonlyMap<string, string>,
): Promise<void> {
  const updates = [...carriers].map(([name, to]): RefUpdate => ({ ref: `refs/signalbox/${objects.run}/${name}`, to }));
  // A ref that exists already has the same content, pushed by another process.
  await remote.push(updates);
  const input = updates.map(({ ref, to = "" }) => `update ${ref}\0${to}\0\0`).join("");
  await store.repository.ask(["update-ref", "-z", "--stdin"], { input });
  for (const [name, commit] of carriers) objects.carried.set(name.slice(name.indexOf("/") + 1), commit);
}
