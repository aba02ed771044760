import { isRound } from "../../rounds.ts";

type Node = { readonly keys: Set<string>; readonly groups: Map<string, Map<string, Node>> };

export type WaitingScopes = {
  add(scope: string, key: string): void;
  /** Takes out all but those that go on beside this scope: what begins in it comes after them. */
  takeBefore(scope: string): readonly string[];
  takeAll(): readonly string[];
};

/**
 * What waits in which scope, as a tree of scopes: branches beside each other have the same place in theirs, so that a
 * thousand of them are passed by in one look.
 */
export function createWaitingScopes(): WaitingScopes {
  const root = emptyNode();
  return {
    add(scope, key) {
      let node = root;
      for (const part of scope.split("/")) node = childOf(node, part);
      node.keys.add(key);
    },
    takeBefore: (scope) => takeBefore(root, scope.split("/")),
    takeAll: () => drain(root),
  };
}

const emptyNode = (): Node => ({ keys: new Set(), groups: new Map() });

/** Branches of one place stand together; the rounds of a loop, which come after each other, apart from them. */
const placeOf = (part: string): string => `${part.split(".")[0]}${isRound(part) ? " rounds" : ""}`;

function childOf(node: Node, part: string): Node {
  const group = node.groups.get(placeOf(part)) ?? new Map<string, Node>();
  node.groups.set(placeOf(part), group);
  const child = group.get(part) ?? emptyNode();
  group.set(part, child);
  return child;
}

function takeBefore(node: Node, [part, ...rest]: readonly string[]): string[] {
  if (part === undefined) return drain(node);
  const taken = [...node.keys];
  node.keys.clear();
  for (const [place, group] of node.groups) {
    const isOwnPlace = place === placeOf(part);
    if (isOwnPlace) taken.push(...takeInside(group, part, rest));
    if (!isOwnPlace || isRound(part)) taken.push(...drainOthers(group, part));
    if (group.size === 0) node.groups.delete(place);
  }
  return taken;
}

function takeInside(group: Map<string, Node>, part: string, rest: readonly string[]): string[] {
  const own = group.get(part);
  if (!own) return [];
  const taken = takeBefore(own, rest);
  if (own.keys.size === 0 && own.groups.size === 0) group.delete(part);
  return taken;
}

function drainOthers(group: Map<string, Node>, part: string): string[] {
  const others = [...group].filter(([name]) => name !== part);
  for (const [name] of others) group.delete(name);
  return others.flatMap(([, node]) => drain(node));
}

function drain(node: Node): string[] {
  const below = [...node.groups.values()].flatMap((group) => [...group.values()].flatMap(drain));
  const taken = [...node.keys, ...below];
  node.keys.clear();
  node.groups.clear();
  return taken;
}
