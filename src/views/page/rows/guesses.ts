import type { JournalRecord } from "../../../core/journal/record.ts";

/**
 * Attempts that have not said what they cost are taken for the dearest that their role, or else anybody, has had:
 * whoever turns out dearer changes what the others are taken for. `changed` is told whose row it concerns.
 */
export function createGuesses(changed: (key: string, seq: number) => void) {
  /** By role: dispatches with an attempt that has not said. */
  const silent = new Map<string, Map<string, number>>();
  const dearest = new Map<string, number>();
  let anybody = -1;
  const count = (role: string, key: string, by: 1 | -1): void => {
    const keys = silent.get(role) ?? new Map<string, number>();
    const left = (keys.get(key) ?? 0) + by;
    if (left > 0) keys.set(key, left);
    else keys.delete(key);
    silent.set(role, keys);
  };
  /** Whose guess this amount raises. */
  const raisedBy = (role: string, usd: number): readonly string[] => {
    const others = usd > anybody ? [...silent.keys()].filter((each) => each !== role && !dearest.has(each)) : [];
    return usd > (dearest.get(role) ?? -1) ? [role, ...others] : others;
  };
  return {
    began: ({ role, key }: JournalRecord<"agent.started">): void => count(role, key, 1),
    ended({ role, key, usage, seq }: JournalRecord<"agent.finished">): void {
      const { usd } = usage ?? {};
      if (usd === undefined) return;
      count(role, key, -1);
      const raised = raisedBy(role, usd);
      dearest.set(role, Math.max(usd, dearest.get(role) ?? usd));
      anybody = Math.max(usd, anybody);
      for (const each of raised.flatMap((name) => [...(silent.get(name)?.keys() ?? [])])) changed(each, seq);
    },
  };
}
