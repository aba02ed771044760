/** Returns the number of the innermost round that a key belongs to. */
export function getInnermostRound(key: string): number {
  return Number(/.*\/round-(\d+)(?:\/|$)/.exec(key)?.[1] ?? 1);
}

/** A round of a loop: the scope and place of the loop, and the round's number. */
export type Round = { readonly loop: string; readonly round: number };

const ROUND = /^(\d+)\.round-(\d+)$/;

/** Returns the rounds that contain a scope, outermost first. */
export function parseRounds(scope: string): readonly Round[] {
  const parts = scope.split("/");
  return parts.flatMap((part, at) => {
    const [, place, round] = ROUND.exec(part) ?? [];
    return round === undefined ? [] : [{ loop: [...parts.slice(0, at), place].join("/"), round: Number(round) }];
  });
}

export const isRoundPart = (part: string): boolean => ROUND.test(part);
