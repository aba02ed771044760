import { isRoundPart } from "../../rounds.ts";

type ScopeNode = { readonly keys: Set<string>; readonly groups: Map<string, Map<string, ScopeNode>> };

export type WaitingScopes = {
  add(scope: string, key: string): void;
  /**
   * Removes and returns all entries except those that run in parallel to this scope. A step that starts in the scope
   * comes after them.
   */
  takeBefore(scope: string): readonly string[];
  takeAll(): readonly string[];
};

/**
 * Stores waiting entries in a tree of scopes. Parallel branches share one place in their parent, so that a thousand of
 * them are skipped in one lookup.
 */
export function createWaitingScopes(): WaitingScopes {
  const root = emptyNode();
  return {
    add(scope, key) {
      let node = root;
      for (const part of scope.split("/")) node = getOrCreateChild(node, part);
      node.keys.add(key);
    },
    takeBefore: (scope) => takeBefore(root, scope.split("/")),
    takeAll: () => drain(root),
  };
}

const emptyNode = (): ScopeNode => ({ keys: new Set(), groups: new Map() });

/** Groups parallel branches of one place. Rounds of a loop are sequential and form a separate group. */
const toGroupKey = (part: string): string => `${part.split(".")[0]}${isRoundPart(part) ? " rounds" : ""}`;

function getOrCreateChild(node: ScopeNode, part: string): ScopeNode {
  const group = node.groups.get(toGroupKey(part)) ?? new Map<string, ScopeNode>();
  node.groups.set(toGroupKey(part), group);
  const child = group.get(part) ?? emptyNode();
  group.set(part, child);
  return child;
}

function takeBefore(node: ScopeNode, [part, ...rest]: readonly string[]): string[] {
  if (part === undefined) return drain(node);
  const taken = [...node.keys];
  node.keys.clear();
  for (const [place, group] of node.groups) {
    const isOwnPlace = place === toGroupKey(part);
    if (isOwnPlace) taken.push(...takeInside(group, part, rest));
    if (!isOwnPlace || isRoundPart(part)) taken.push(...drainOthers(group, part));
    if (group.size === 0) node.groups.delete(place);
  }
  return taken;
}

function takeInside(group: Map<string, ScopeNode>, part: string, rest: readonly string[]): string[] {
  const own = group.get(part);
  if (!own) return [];
  const taken = takeBefore(own, rest);
  if (own.keys.size === 0 && own.groups.size === 0) group.delete(part);
  return taken;
}

function drainOthers(group: Map<string, ScopeNode>, part: string): string[] {
  const others = [...group].filter(([name]) => name !== part);
  for (const [name] of others) group.delete(name);
  return others.flatMap(([, node]) => drain(node));
}

function drain(node: ScopeNode): string[] {
  const below = [...node.groups.values()].flatMap((group) => [...group.values()].flatMap(drain));
  const taken = [...node.keys, ...below];
  node.keys.clear();
  node.groups.clear();
  return taken;
}
