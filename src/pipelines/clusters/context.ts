import type { Failure } from "../../core/failure.ts";
import type { Finding } from "../../core/finding.ts";
import type { Retry } from "../../core/retry.ts";
import type { Head } from "../../core/sight.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { integrate } from "../integrate.ts";
import { type Account, openAccount } from "./account.ts";
import { DOCUMENTS, folderOf } from "./artifacts.ts";
import type { Status } from "./contracts.ts";
import { findingsIn } from "./findings.ts";
import { entriesIn, handedOver } from "./memory.ts";
import { type MemoryFile, openMemory } from "./memory-file.ts";
import type { Doer } from "./roles.ts";

/** One dispatch of an agent that writes documents. Paths are those below the feature's folder. */
export type Order = {
  readonly role: Doer;
  readonly step: string;
  /** Besides the request and the memory, which everybody gets. */
  readonly reads: readonly string[];
  /** The first is the one that is read; globs name files that only the agent can name. */
  readonly outputs: readonly [string, ...string[]];
  readonly more?: Readonly<Record<string, unknown>>;
  readonly as?: string;
  readonly retry?: Retry;
};

/** What came of it; without a tree nothing did. */
export type Sent = {
  readonly name: string;
  readonly status: Status | "missing";
  readonly message: string;
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly outside: readonly string[];
  readonly after?: Tree;
};

/** The feature under construction: its folder, its tree, its memory, and how agents are sent to it. */
export type Feature = Account &
  Omit<MemoryFile, "reach"> & {
    readonly slug: string;
    readonly base: Head;
    /** Globs that no agent's work may touch, by the configuration. */
    readonly protectedPaths: readonly string[];
    at(path: string): string;
    readonly tree: Tree;
    adopt(next: Tree): void;
    /** One agent by itself: its files are taken and what it hands over is remembered. */
    alone(order: Order): Promise<Sent>;
    /** The same; its failure ends the run. */
    must(order: Order): Promise<Sent>;
    /** Agents side by side: each writes its own files, and none of them the memory. */
    together(orders: readonly Order[]): Promise<readonly Sent[]>;
  };

export function openFeature(verbs: Verbs<unknown>, start: Pick<Feature, "slug" | "base" | "protectedPaths">): Feature {
  const account = openAccount(verbs);
  const at = (path: string): string => `${folderOf(start.slug)}/${path}`;
  const file = openMemory({ ...verbs, path: at(DOCUMENTS.memory), warn: account.warn });
  let tree: Tree = start.base;

  const alone = async (order: Order): Promise<Sent> => {
    const sent = await send(verbs, order, { at, tree });
    await watch(account, sent);
    tree = sent.after ?? tree;
    await remember(order, sent);
    return sent;
  };
  const remember = async ({ step, outputs }: Order, { name, after, text }: Sent): Promise<void> => {
    if (!after) return file.doubt([step], `${name} failed`);
    if (entriesIn(text).length === 0) await account.warn(`${name} handed over no memory entry in step ${step}`);
    await file.remember(handedOver(file.memory, { by: name, step, path: at(outputs[0]), text }));
  };
  const together = async (orders: readonly Order[]): Promise<readonly Sent[]> => {
    const got = await verbs.parallel(orders, (order) => send(verbs, order, { at, tree }), { key: nameOf });
    const all = got.filter((sent) => sent !== undefined);
    for (const sent of all) {
      await watch(account, sent);
      if (entriesIn(sent.text).length > 0) await account.warn(`${sent.name} is no writer of the memory: entry refused`);
    }
    const works = all.flatMap(({ name, after }) => (after ? [{ id: name, after }] : []));
    tree = (await integrate(verbs, tree, works)).tree;
    return all;
  };

  return {
    ...account,
    ...start,
    at,
    alone,
    together,
    remember: file.remember,
    doubt: file.doubt,
    settle: file.settle,
    prune: file.prune,
    begin(title) {
      file.reach(stepOf(title));
      return account.begin(title);
    },
    async must(order) {
      const sent = await alone(order);
      return sent.after ? sent : account.halt(`${sent.name} failed in step ${order.step}: ${sent.message}`);
    },
    adopt: (next) => {
      tree = next;
    },
    get tree() {
      return tree;
    },
    get memory() {
      return file.memory;
    },
  };
}

async function watch({ violated }: Account, { name, outside }: Sent): Promise<void> {
  if (outside.length > 0) await violated(name, outside);
}

/** `3b Design review` is step 3b. */
const stepOf = (title: string): string => title.split(" ")[0] ?? title;

const nameOf = ({ role, as }: Order): string => as ?? role.name;

/** Every dispatch names what it reads and what it leaves behind, path by path. */
async function send(
  { attempt, see }: Pick<Verbs<unknown>, "attempt" | "see">,
  order: Order,
  place: { at: (path: string) => string; tree: Tree },
): Promise<Sent> {
  const { role, reads, outputs: own, more, as, retry } = order;
  const inputs = [DOCUMENTS.request, DOCUMENTS.memory, ...reads].map(place.at);
  const outputs = own.map(place.at);
  const delivers = outputs.filter((path) => !path.includes("*"));
  const options = { in: place.tree, writes: outputs, delivers, ...(as && { as }), ...(retry && { retry }) };
  const answer = await attempt(role, { inputs, outputs, ...more }, options);
  if (!answer.ok) return lost(nameOf(order), answer.failure);
  const { line: status, message, after, outside } = answer.value;
  const text = (await see("file", { path: place.at(own[0]), in: after }))?.text ?? "";
  return { name: nameOf(order), status, message, text, findings: findingsIn(text, nameOf(order)), outside, after };
}

function lost(name: string, failure: Failure): Sent {
  const status = failure.code === "agent_error" ? "ERROR" : "missing";
  return { name, status, message: failure.message, text: "", findings: [], outside: [] };
}
