/** A judgement of a gate, as a record or a report names it. */
export type PlacedGate = {
  readonly key: string;
  readonly gate: string;
  /** As the record says it; records of before that do not. */
  readonly place?: readonly string[] | undefined;
};

/**
 * Where a gate stands: a later judgement at the same place replaces the earlier one, any other stands beside it.
 * The engine records the place by the scopes themselves, so what a scope is called decides nothing.
 */
export function gatePlace({ key, gate, place }: PlacedGate): string {
  return JSON.stringify([gate, ...(place ?? placeByNames(key))]);
}

/** The newest of each place, in the order in which the places were first asked. */
export function standingIn<G extends PlacedGate>(gates: readonly G[]): readonly G[] {
  return [...new Map(gates.map((each) => [gatePlace(each), each])).values()];
}

/** Journals of before have only the key: what was asked again is known by the names that pipelines gave it then. */
function placeByNames(key: string): readonly string[] {
  const [phase = "", ...rest] = key.split("/");
  const path = rest.slice(0, -1);
  const parts = path.filter((part) => !ASKED_AGAIN.test(part));
  return [parts.length === path.length ? phase : "", ...parts];
}

const ASKED_AGAIN =
  /^(?:again|attempt|budget|dispatch|final-review|pass|planned|round|try|turn|version|wave)(?:-\d+)?$/;
