/** Gate judgement as records and reports identify it. */
export type PlacedGate = {
  readonly key: string;
  readonly gate: string;
  /** Recorded place. Absent in records of earlier versions. */
  readonly place?: readonly string[] | undefined;
};

/**
 * Returns where a gate is located. A later judgement at the same place replaces the earlier one; others stand side by
 * side. The engine records the place from its scopes, so the names of scopes do not matter.
 */
export function resolveGatePlace({ key, gate, place }: PlacedGate): string {
  return JSON.stringify([gate, ...(place ?? computePlace(key))]);
}

/** Selects the newest judgement of each place, in the order in which the places first appeared. */
export function selectLatestGates<G extends PlacedGate>(gates: readonly G[]): readonly G[] {
  return [...new Map(gates.map((each) => [resolveGatePlace(each), each])).values()];
}

/**
 * Derives the place from the key, for journals of earlier versions. They identified repeated gates by the names that
 * pipelines used then.
 */
function computePlace(key: string): readonly string[] {
  const [phase = "", ...rest] = key.split("/");
  const path = rest.slice(0, -1);
  const parts = path.filter((part) => !ASKED_AGAIN.test(part));
  return [parts.length === path.length ? phase : "", ...parts];
}

const ASKED_AGAIN =
  /^(?:again|attempt|budget|dispatch|final-review|pass|planned|round|try|turn|version|wave)(?:-\d+)?$/;
