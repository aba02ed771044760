import type { AnchorOrder, CommitOrder, LeftWork } from "../../core/ports/workspace.ts";
import { NEUTRAL_IDENTITY } from "../attempt/identity.ts";
import { renderInto } from "../attempt/render.ts";
import { noAnchor } from "../commit/anchor.ts";
import { writeCommit } from "../commit/commit.ts";
import { isTaken, takenRef } from "../commit/take.ts";
import { line } from "../repository/git.ts";
import type { Travel } from "./travel.ts";

const FILE = "chain";
/** How often somebody else may set it between the look and the swap. */
const TRIES = 5;

/** The head of the journal's chain, where every clone and no database reaches it. It only ever goes forward. */
export async function anchorOnRemote(travel: Travel, { chain, requireHeld }: AnchorOrder): Promise<void> {
  const { store, remote, objects } = travel;
  const ref = chainRef(objects.run);
  const empty = line(await store.ask(["mktree"], { input: "" }));
  const tree = await renderInto(store, empty, [{ path: FILE, text: chain }]);
  for (let tried = 0; tried < TRIES; tried += 1) {
    const now = await fetched(travel, ref);
    const said = now === undefined ? undefined : ((await chainIn(travel, now)) ?? noAnchor(now));
    if (said !== undefined) await requireHeld(said);
    if (said !== undefined && numberOf(said) >= numberOf(chain)) return;
    const parents = now === undefined ? [] : ["-p", now];
    const args = ["commit-tree", tree, ...parents, "-m", `Journal of run ${objects.run}`];
    const to = line(await store.ask(args, { env: NEUTRAL_IDENTITY }));
    if ((await remote.push([{ ref, from: now, to }])).get(ref) === "done") return;
  }
}

/** Each was put upon the one before: whoever sets another one over them leaves them in its past. */
export async function anchoredOnRemote(travel: Travel): Promise<readonly string[]> {
  const now = await fetched(travel, chainRef(travel.objects.run));
  const found: string[] = [];
  for (let at = now; at !== undefined; at = await parentOf(travel, at)) {
    const said = await chainIn(travel, at);
    found.push(said ?? noAnchor(at));
    // What is no anchor has the past of something else.
    if (said === undefined) break;
  }
  return found;
}

async function parentOf({ store }: Travel, commit: string): Promise<string | undefined> {
  const found = line(await store.ask(["rev-parse", "-q", "--verify", `${commit}^1`], { answers: [1] }));
  return found === "" ? undefined : found;
}

/** What a person took of a run: the first that somebody of the team made stands for all. Anything else is replaced. */
export async function takeOnRemote(travel: Travel, order: Omit<CommitOrder, "branch">): Promise<string> {
  const ref = takenRef(order.run);
  const from = await fetched(travel, ref);
  if (from !== undefined && (await isTaken(travel.store, from, order))) return from;
  await travel.obtain(order.parent, order.tree);
  const to = await writeCommit(travel.store, { ...order, parents: [order.parent] });
  await travel.remote.push([{ ref, from, to }]);
  return (await takenOnRemote(travel, order)) ?? to;
}

export async function takenOnRemote(travel: Travel, work: LeftWork): Promise<string | undefined> {
  const { run } = travel.objects;
  const found = await fetched(travel, takenRef(run));
  return found !== undefined && (await isTaken(travel.store, found, { ...work, run })) ? found : undefined;
}

const chainRef = (run: string): string => `refs/signalbox/${run}/chain`;

async function fetched({ store, remote }: Travel, ref: string): Promise<string | undefined> {
  if (!(await remote.fetch([`+${ref}:${ref}`]))) return undefined;
  return line(await store.repository.ask(["rev-parse", "--verify", ref]));
}

/** Undefined of what somebody else put there. */
async function chainIn({ store }: Travel, commit: string): Promise<string | undefined> {
  const { code, out } = await store.ask(["cat-file", "blob", `${commit}:${FILE}`], { answers: [128] });
  return code === 0 ? out.toString("utf8") : undefined;
}

/** `<sequence number>:<hash>`. */
function numberOf(chain: string): number {
  return Number.parseInt(chain, 10) || 0;
}
