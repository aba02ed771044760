import { NEUTRAL_IDENTITY } from "../attempt/identity.ts";
import { pinTree } from "../commit/commit.ts";
import { line } from "../repository/git.ts";
import { needsId } from "../repository/tree-id.ts";
import type { RefUpdate } from "./push-report.ts";
import { lostOnRemote, type ObjectSource, obtainMissing } from "./run-objects.ts";

/** What one piece of work takes from the remote and brings there. */
export type Travel = ObjectSource & {
  /** Has these objects here; asked for several at once, they come together. */
  obtain(...ids: readonly (string | undefined)[]): Promise<void>;
  /** Says that this was made here. */
  made(id: string): string;
  /** To be published: a tree, or a commit with its tree. */
  pin(tree: string): Promise<void>;
  hold(commit: string): void;
  /** All of it is on the remote afterwards; what is there already costs nothing. */
  publish(): Promise<void>;
};

/** As many as say where a tree comes from; each spares its own objects from being sent again. */
const MOST_PARENTS = 8;

export function travel(source: ObjectSource): Travel {
  const { objects, store } = source;
  const parents = new Set<string>();
  const trees = new Set<string>();
  const commits = new Set<string>();
  let batch: { readonly ids: Set<string>; readonly lost: Promise<ReadonlySet<string>> } | undefined;

  const gather = (): NonNullable<typeof batch> => {
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
      batch ??= gather();
      const { lost: answer } = batch;
      for (const id of ids) batch.ids.add(id);
      const lost = await answer;
      for (const id of ids) {
        if (lost.has(id)) throw lostOnRemote(id);
        const carrier = objects.carried.get(id);
        if (carrier !== undefined) parents.add(carrier);
      }
    },
    made(id) {
      objects.here.add(id);
      return id;
    },
    async pin(tree) {
      if (objects.carried.has(needsId(tree))) return;
      await pinTree(store, objects.run, tree);
      trees.add(tree);
    },
    hold(commit) {
      if (!objects.carried.has(needsId(commit))) commits.add(commit);
    },
    async publish() {
      const carriers = await carriersFor(source, { trees, commits, parents });
      if (carriers.size > 0) await carry(source, carriers);
      trees.clear();
      commits.clear();
    },
  };
}

type Load = {
  readonly trees: ReadonlySet<string>;
  readonly commits: ReadonlySet<string>;
  readonly parents: ReadonlySet<string>;
};

/** By the rest of the ref's name: the commit that travels under it. */
async function carriersFor(source: ObjectSource, { trees, commits, parents }: Load): Promise<Map<string, string>> {
  const { objects, store } = source;
  const carriers = new Map<string, string>();
  for (const commit of commits) {
    carriers.set(`base/${commit}`, commit);
    carriers.set(`t/${line(await store.ask(["rev-parse", `${commit}^{tree}`]))}`, commit);
  }
  const own = [...new Set([...parents, ...commits])];
  const before = own.length > 0 ? own : [...new Set(objects.carried.values())].slice(-1);
  for (const tree of trees) {
    if (!objects.carried.has(tree) && !carriers.has(`t/${tree}`))
      carriers.set(`t/${tree}`, await wrapped(source, tree, before.slice(0, MOST_PARENTS)));
  }
  return carriers;
}

/** The same tree from the same ones is the same commit, whoever makes it. */
async function wrapped({ store, objects }: ObjectSource, tree: string, parents: readonly string[]): Promise<string> {
  const args = [
    "commit-tree",
    needsId(tree),
    ...parents.flatMap((parent) => ["-p", parent]),
    "-m",
    `Tree of run ${objects.run}`,
  ];
  return line(await store.ask(args, { env: NEUTRAL_IDENTITY }));
}

async function carry({ remote, store, objects }: ObjectSource, carriers: ReadonlyMap<string, string>): Promise<void> {
  const updates = [...carriers].map(([name, to]): RefUpdate => ({ ref: `refs/signalbox/${objects.run}/${name}`, to }));
  // What is there under such a name holds the same: who was quicker has published it for us.
  await remote.push(updates);
  const input = updates.map(({ ref, to = "" }) => `update ${ref}\0${to}\0\0`).join("");
  await store.repository.ask(["update-ref", "-z", "--stdin"], { input });
  for (const [name, commit] of carriers) objects.carried.set(name.slice(name.indexOf("/") + 1), commit);
}
