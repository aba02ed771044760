import type { AnchorOrder } from "../../core/ports/workspace.ts";
import { NEUTRAL_IDENTITY } from "../attempt/identity.ts";
import { renderFiles } from "../attempt/render-files.ts";
import { describeNonAnchor } from "../commit/anchor.ts";
import { containsCommit } from "../commit/commit.ts";
import { readSmallBlobs } from "../read/small-blobs.ts";
import { getLine } from "../repository/git.ts";
import type { ObjectTravel } from "./travel.ts";

const FILE = "chain";
/** How often another process may set it between the check and the swap. */
const TRIES = 5;
/** A run writes one anchor per suspension; pushing more commits than this would hide them. */
const MOST_COMMITS = 10_000;
const LONGEST = 200;
const ANCHOR = /^(?:\d{1,15}:)?[0-9a-f]{3,128}$/;

/**
 * Stores the head of the journal's hash chain on the remote, where every clone can read it and no database can change
 * it. It only moves forward.
 */
export async function anchorOnRemote(travel: ObjectTravel, { chain, requireHeld }: AnchorOrder): Promise<void> {
  const { store, remote, objects } = travel;
  const ref = formatChainRef(objects.run);
  for (let tried = 0; tried < TRIES; tried += 1) {
    const { tip, parents, anchors } = await readRemoteAnchors(travel);
    const [newest] = anchors;
    if (newest) await requireHeld(newest.text);
    const isAhead = newest !== undefined && parseNumber(newest.text) >= parseNumber(chain);
    if (isAhead && newest.isOnRemote) return;
    // An anchor that only this clone has is pushed again.
    const to = await writeAnchor(travel, isAhead ? newest.text : chain, parents);
    if ((await remote.push([{ ref, from: tip, to }])).get(ref) === "done") {
      await store.repository.ask(["update-ref", ref, to]);
      return;
    }
    // A ref below this one would block its creation, and Signalbox creates none there.
    const below = await remote.list([`${ref}/*`]);
    await remote.push(below.map(({ name, id }) => ({ ref: name, from: id })));
  }
}

/**
 * Returns all anchors that the remote has or this clone has seen there, newest first. A foreign object under the ref
 * comes first.
 */
export async function listRemoteAnchors(travel: ObjectTravel): Promise<readonly string[]> {
  const { tip, anchors, isAnchor } = await readRemoteAnchors(travel);
  return [
    ...(tip === undefined || isAnchor ? [] : [describeNonAnchor(tip)]),
    ...new Set(anchors.map(({ text }) => text)),
  ];
}

type ReadAnchor = { readonly text: string; readonly isOnRemote: boolean };
type ReadAnchors = {
  /** The object that the ref points to on the remote. */
  readonly tip: string | undefined;
  /** True if that is an anchor. */
  readonly isAnchor: boolean;
  /** Parents of the next anchor. */
  readonly parents: readonly string[];
  readonly anchors: readonly ReadAnchor[];
};

/**
 * Stores the last anchor read as this clone's copy, which only moves forward: a push over an anchor does not remove it
 * from clones that have seen it. The caller has verified that the journal contains all of them.
 */
export async function storeAnchors(travel: ObjectTravel): Promise<void> {
  const { store, objects } = travel;
  const { newestAnchor: newest } = objects;
  const ref = formatChainRef(objects.run);
  const own = await resolveId(travel, `${ref}^{commit}`);
  if (newest === undefined || newest === own) return;
  if (own === undefined || (await containsCommit(store.repository, newest, own)))
    await store.repository.ask(["update-ref", ref, newest]);
}

/** Any member who can push can put something else under the ref; other objects are skipped. */
async function readRemoteAnchors(travel: ObjectTravel): Promise<ReadAnchors> {
  const { store, remote, objects } = travel;
  const { repository } = store;
  const ref = formatChainRef(objects.run);
  const seen = `refs/signalbox/${objects.run}/seen/chain`;
  const tip = (await remote.fetch([`+${ref}:${seen}`])) ? await resolveId(travel, seen) : undefined;
  const own = await resolveId(travel, `${ref}^{commit}`);
  const head = tip === undefined ? undefined : await resolveId(travel, `${tip}^{commit}`);
  const hasOwn = own === undefined || (head !== undefined && (await containsCommit(repository, head, own)));
  const lost = hasOwn ? undefined : own;
  const [there, here] = await Promise.all([
    head === undefined ? [] : readAnchors(travel, [head]),
    lost === undefined ? [] : readAnchors(travel, [lost, ...(head === undefined ? [] : ["--not", head])]),
  ]);
  objects.newestAnchor = there[0]?.commit;
  const anchors = [
    ...there.map(({ text }) => ({ text, isOnRemote: true })),
    ...here.map(({ text }) => ({ text, isOnRemote: false })),
  ];
  return {
    tip,
    isAnchor: head !== undefined && there.some(({ commit }) => commit === head),
    parents: [head, lost].filter((each) => each !== undefined),
    anchors: anchors.sort((a, b) => parseNumber(b.text) - parseNumber(a.text)),
  };
}

async function readAnchors({ store }: ObjectTravel, from: readonly string[]) {
  const listed = getLine(await store.ask(["rev-list", "--topo-order", `--max-count=${MOST_COMMITS}`, ...from]));
  const commits = listed.split("\n").filter(Boolean);
  const texts = await readSmallBlobs(store, { names: commits.map((commit) => `${commit}:${FILE}`), most: LONGEST });
  return commits.flatMap((commit, at) => {
    const text = texts[at];
    return text !== undefined && ANCHOR.test(text.trim()) ? [{ commit, text }] : [];
  });
}

async function writeAnchor(
  { store, objects }: ObjectTravel,
  chain: string,
  parents: readonly string[],
): Promise<string> {
  const empty = getLine(await store.ask(["mktree"], { input: "" }));
  const tree = await renderFiles(store, empty, [{ path: FILE, text: chain }]);
  const args = [...parents.flatMap((parent) => ["-p", parent]), "-m", `Journal of run ${objects.run}`];
  return getLine(await store.ask(["commit-tree", tree, ...args], { env: NEUTRAL_IDENTITY }));
}

const formatChainRef = (run: string): string => `refs/signalbox/${run}/chain`;

async function resolveId({ store }: ObjectTravel, name: string): Promise<string | undefined> {
  const found = getLine(await store.repository.ask(["rev-parse", "-q", "--verify", name], { answers: [1, 128] }));
  return found === "" ? undefined : found;
}

/** `<sequence number>:<hash>`. */
function parseNumber(chain: string): number {
  return Number.parseInt(chain, 10) || 0;
}
