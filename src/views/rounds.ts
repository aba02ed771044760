/** Keys name the round they belong to; the innermost one counts. */
export function roundOf(key: string): number {
  return Number(/.*\/round-(\d+)(?:\/|$)/.exec(key)?.[1] ?? 1);
}

/** A round of a loop: the scope before it, its place there and its number. */
export type Round = { readonly loop: string; readonly round: number };

const ROUND = /^(\d+)\.round-(\d+)$/;

/** The rounds that a scope lies in, the outermost first. */
export function roundsIn(scope: string): readonly Round[] {
  const parts = scope.split("/");
  return parts.flatMap((part, at) => {
    const [, place, round] = ROUND.exec(part) ?? [];
    return round === undefined ? [] : [{ loop: [...parts.slice(0, at), place].join("/"), round: Number(round) }];
  });
}

/** Whether two scopes are branches that go on side by side: neither says what came after the other. */
export function areSideBySide(one: string, other: string): boolean {
  const [first, second] = [one.split("/"), other.split("/")];
  const at = first.findIndex((part, index) => part !== second[index]);
  const [a, b] = [first[at], second[at]];
  if (a === undefined || b === undefined || ROUND.test(a) || ROUND.test(b)) return false;
  return a.split(".")[0] === b.split(".")[0];
}
