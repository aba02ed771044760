import type { JournalRecord } from "../../../core/journal/record.ts";

/**
 * Tracks the assumed cost of attempts that did not report one: the highest reported cost of their role, or of any role
 * if that has none. A higher reported cost changes the assumption for others, so `changed` is called with each affected
 * dispatch.
 */
export function createAssumedCosts(changed: (key: string, seq: number) => void) {
  /** Dispatches by role that have an attempt without a reported cost. */
  const silent = new Map<string, Map<string, number>>();
  const dearest = new Map<string, number>();
  let highestOfAll = -1;
  const count = (role: string, key: string, by: 1 | -1): void => {
    const keys = silent.get(role) ?? new Map<string, number>();
    const left = (keys.get(key) ?? 0) + by;
    if (left > 0) keys.set(key, left);
    else keys.delete(key);
    silent.set(role, keys);
  };
  /** Returns the roles whose assumed cost this amount raises. */
  const listRaisedRoles = (role: string, usd: number): readonly string[] => {
    const others = usd > highestOfAll ? [...silent.keys()].filter((each) => each !== role && !dearest.has(each)) : [];
    return usd > (dearest.get(role) ?? -1) ? [role, ...others] : others;
  };
  return {
    began: ({ role, key }: JournalRecord<"agent.started">): void => count(role, key, 1),
    ended({ role, key, usage, seq }: JournalRecord<"agent.finished">): void {
      const { usd } = usage ?? {};
      if (usd === undefined) return;
      count(role, key, -1);
      const raised = listRaisedRoles(role, usd);
      dearest.set(role, Math.max(usd, dearest.get(role) ?? usd));
      highestOfAll = Math.max(usd, highestOfAll);
      for (const each of raised.flatMap((name) => [...(silent.get(name)?.keys() ?? [])])) changed(each, seq);
    },
  };
}
