import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Start } from "../context.ts";
import { learningsOf } from "../recording/memory.ts";
import { type ItemResult, stepsOf } from "../steps.ts";
import { adrFolder } from "./adr-folder.ts";
import { build, review, test, validate } from "./build-and-test.ts";
import { earlierWork } from "./earlier-work.ts";
import { design, investigate } from "./research-and-design.ts";
import { routeOf } from "./route.ts";

/** Runs one item along its route. The first step that does not pass blocks the item. */
export async function runItem(verbs: Verbs<unknown>, start: Start): Promise<ItemResult> {
  const { item, roadmap, memory, base, note } = start;
  const earlier = await earlierWork(verbs, { left: memory.blocked[String(item.id)], item, base });
  const about = { item, learnings: learningsOf(roadmap, memory), earlier, note };
  const steps = stepsOf(verbs, about);
  const { commands: known } = await verbs.see("startup");
  // No agent can change the roadmap file, so its announcements come from a person. They apply to this item only.
  const from = `item ${item.id} of the roadmap`;
  await verbs.announce(
    (item.announces ?? []).map((each) => ({ ...each, from })),
    { instead: true },
  );
  const adrs = adrFolder(await verbs.see("files", { under: "", in: base }));
  const place = { ...start, verbs, steps, route: routeOf(item), known, adrs, earlier };

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
  if (!(await review(place, { ...built, ...tested }))) return steps.blocked();
  return steps.done(tested.tree, prepared.design ? { design: prepared.design.adrPath } : {});
}
