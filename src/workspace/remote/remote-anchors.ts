import type { AnchorOrder } from "../../core/ports/workspace.ts";
import { NEUTRAL_IDENTITY } from "../attempt/identity.ts";
import { renderInto } from "../attempt/render.ts";
import { noAnchor } from "../commit/anchor.ts";
import { contains } from "../commit/commit.ts";
import { readSmallBlobs } from "../read/small-blobs.ts";
import { line } from "../repository/git.ts";
import type { Travel } from "./travel.ts";

const FILE = "chain";
/** How often somebody else may set it between the look and the swap. */
const TRIES = 5;
/** A run anchors each of its rests; whoever pushes more commits than this hides them. */
const MOST_COMMITS = 10_000;
const LONGEST = 200;
const ANCHOR = /^(?:\d{1,15}:)?[0-9a-f]{3,128}$/;

/** The head of the journal's chain, where every clone and no database reaches it. It only ever goes forward. */
export async function anchorOnRemote(travel: Travel, { chain, requireHeld }: AnchorOrder): Promise<void> {
  const { store, remote, objects } = travel;
  const ref = chainRef(objects.run);
  for (let tried = 0; tried < TRIES; tried += 1) {
    const { tip, parents, anchors } = await lookAtAnchors(travel);
    const [newest] = anchors;
    if (newest) await requireHeld(newest.text);
    const isAhead = newest !== undefined && numberOf(newest.text) >= numberOf(chain);
    if (isAhead && newest.isOnRemote) return;
    // One that only this clone has goes back to the remote.
    const to = await writeAnchor(travel, isAhead ? newest.text : chain, parents);
    if ((await remote.push([{ ref, from: tip, to }])).get(ref) === "done") {
      await store.repository.ask(["update-ref", ref, to]);
      return;
    }
    // A ref below this one would keep it from being made for good, and Signalbox makes none there.
    const below = await remote.list([`${ref}/*`]);
    await remote.push(below.map(({ name, id }) => ({ ref: name, from: id })));
  }
}

/** All anchors that the remote has or this clone has seen there, the newest first; before them what the ref holds instead. */
export async function anchoredOnRemote(travel: Travel): Promise<readonly string[]> {
  const { tip, anchors, isAnchor } = await lookAtAnchors(travel);
  return [...(tip === undefined || isAnchor ? [] : [noAnchor(tip)]), ...new Set(anchors.map(({ text }) => text))];
}

type SeenAnchor = { readonly text: string; readonly isOnRemote: boolean };
type SeenAnchors = {
  /** What the ref holds on the remote. */
  readonly tip: string | undefined;
  /** Whether that is an anchor. */
  readonly isAnchor: boolean;
  /** Commits that the next anchor keeps in its past. */
  readonly parents: readonly string[];
  readonly anchors: readonly SeenAnchor[];
};

/**
 * What was read last becomes this clone's copy, which only goes forward: nothing that is pushed over an anchor takes it away
 * from those who have seen it. Whoever calls has found that the journal holds all of them.
 */
export async function holdAnchors(travel: Travel): Promise<void> {
  const { store, objects } = travel;
  const { newestAnchor: newest } = objects;
  const ref = chainRef(objects.run);
  const own = await resolveId(travel, `${ref}^{commit}`);
  if (newest === undefined || newest === own) return;
  if (own === undefined || (await contains(store.repository, newest, own)))
    await store.repository.ask(["update-ref", ref, newest]);
}

/** Everybody who may push can put something else under the ref: what is no anchor is passed over. */
async function lookAtAnchors(travel: Travel): Promise<SeenAnchors> {
  const { store, remote, objects } = travel;
  const { repository } = store;
  const ref = chainRef(objects.run);
  const seen = `refs/signalbox/${objects.run}/seen/chain`;
  const tip = (await remote.fetch([`+${ref}:${seen}`])) ? await resolveId(travel, seen) : undefined;
  const own = await resolveId(travel, `${ref}^{commit}`);
  const head = tip === undefined ? undefined : await resolveId(travel, `${tip}^{commit}`);
  const hasOwn = own === undefined || (head !== undefined && (await contains(repository, head, own)));
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
    anchors: anchors.sort((a, b) => numberOf(b.text) - numberOf(a.text)),
  };
}

async function readAnchors({ store }: Travel, from: readonly string[]) {
  const listed = line(await store.ask(["rev-list", "--topo-order", `--max-count=${MOST_COMMITS}`, ...from]));
  const commits = listed.split("\n").filter(Boolean);
  const texts = await readSmallBlobs(store, { names: commits.map((commit) => `${commit}:${FILE}`), most: LONGEST });
  return commits.flatMap((commit, at) => {
    const text = texts[at];
    return text !== undefined && ANCHOR.test(text.trim()) ? [{ commit, text }] : [];
  });
}

async function writeAnchor({ store, objects }: Travel, chain: string, parents: readonly string[]): Promise<string> {
  const empty = line(await store.ask(["mktree"], { input: "" }));
  const tree = await renderInto(store, empty, [{ path: FILE, text: chain }]);
  const args = [...parents.flatMap((parent) => ["-p", parent]), "-m", `Journal of run ${objects.run}`];
  return line(await store.ask(["commit-tree", tree, ...args], { env: NEUTRAL_IDENTITY }));
}

const chainRef = (run: string): string => `refs/signalbox/${run}/chain`;

async function resolveId({ store }: Travel, name: string): Promise<string | undefined> {
  const found = line(await store.repository.ask(["rev-parse", "-q", "--verify", name], { answers: [1, 128] }));
  return found === "" ? undefined : found;
}

/** `<sequence number>:<hash>`. */
function numberOf(chain: string): number {
  return Number.parseInt(chain, 10) || 0;
}
