import type { Verbs } from "../../core/verbs.ts";
import { learningsOf } from "./memory.ts";
import type { Start } from "./place.ts";
import { design, investigate } from "./preparing.ts";
import { build, review, test, validate } from "./proving.ts";
import { routeOf } from "./route.ts";
import { type ItemResult, stepsOf } from "./steps.ts";

/** Sends one item down its route; the first step that does not pass blocks it. */
export async function runItem(verbs: Verbs<unknown>, start: Start): Promise<ItemResult> {
  const { item, roadmap, memory } = start;
  const steps = stepsOf(verbs, { item, learnings: learningsOf(roadmap, memory) });
  const { commands: known } = await verbs.see("startup");
  // The file is a person's, and no agent's change to it is taken: what stands there is announced, for this item alone.
  await verbs.announce(item.announces ?? [], { instead: true });
  const place = { ...start, verbs, steps, route: routeOf(item), known };

  const found = await investigate(place);
  if (!found) return steps.blocked();
  const prepared = await design(place, found);
  if ("refused" in prepared) return prepared.refused;
  if (!place.route.includes("Implement")) return steps.done(prepared.tree, { adrPath: prepared.design?.adrPath ?? "" });

  const built = await build(place, prepared);
  if (!built) return steps.blocked();
  if (place.route.includes("Architect (validation)") && !(await validate(place, prepared, built)))
    return steps.blocked();
  const tested = await test(place, built);
  if (!tested) return steps.blocked();
  return (await review(place, { ...built, ...tested })) ? steps.done(tested.tree) : steps.blocked();
}
