import { recordsOf } from "./records.ts";
import type { Played } from "./schedule.ts";

/** I6: a commit that is ordered several times is always the same commit. */
export function aCommitIsOrderedOneWay({ witness }: Played): readonly string[] {
  return [...witness.commits].filter(([, orders]) => orders.size > 1).map(([id]) => `${id} was ordered in two ways`);
}

/** I7: a commit has passed every gate named for it, on its own tree, with evidence. */
export function commitsRestOnThatTree(played: Played): readonly string[] {
  const judged = recordsOf(played, "gate.evaluated");
  const accepted = new Set(recordsOf(played, "approval.decided").map(({ key }) => key));
  const evidence = recordsOf(played, "evidence.recorded");
  return listCommittedTrees(played).flatMap((tree) => {
    const reasons = played.witness.reasons.filter((each) => each.tree === tree).at(-1)?.because ?? [];
    const misses = reasons.flatMap(({ id, tree: about }) => {
      const rules = judged.filter(({ key }) => key === id);
      if (about !== tree) return [`${id} speaks of ${about}, not of ${tree}`];
      if (rules.length === 0) return accepted.has(id) ? [] : [`${id} was never decided`];
      return rules
        .filter((rule) => !rule.passed || rule.tree !== tree)
        .map(({ rule }) => `${id}: ${rule} did not pass`);
    });
    const seen = evidence.some((each) => each.tree === tree && each.phase === "after");
    return [
      ...(reasons.length === 0 ? [`${tree} was committed for no reason`] : misses),
      ...(seen ? [] : [`${tree} was committed and never checked`]),
    ];
  });
}

function listCommittedTrees({ witness }: Played): readonly string[] {
  // The stagehand writes these from commit requests.
  return [...witness.commits.values()].flatMap((orders) =>
    [...orders].map((order) => (JSON.parse(order) as { tree: string }).tree),
  );
}

/** I10: nothing is committed while a decision blocks. */
export function noCommitWhileABlockerStands(played: Played): readonly string[] {
  const gates = new Map(
    recordsOf(played, "step.started").flatMap(({ key, verb, scope }) =>
      verb === "gate" ? [[key, scope] as const] : [],
    ),
  );
  const standing = new Map<string, boolean>();
  for (const record of played.records) {
    if (record.type === "step.finished" && gates.has(record.key)) {
      // The value of a gate step is its decision.
      const { gate, blocked } = record.value as { gate: string; blocked: boolean };
      standing.set(`${gate} ${removeRounds(gates.get(record.key) ?? "")}`, blocked);
    }
    if (record.type !== "step.started" || record.verb !== "commit") continue;
    const blocker = [...standing].find(([, blocked]) => blocked);
    const made = played.witness.commits.has(`${played.run}/${record.key}@1`);
    if (blocker && made) return [`committed while ${blocker[0]} blocks`];
  }
  return [];
}

/** Rounds of one loop evaluate the same gate again; branches evaluate their own. */
const removeRounds = (scope: string): string => scope.replaceAll(/\/\d+\.round-\d+/g, "").replaceAll(/\/\d+\./g, "/");
