import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { ItemStart } from "../context.ts";
import { listLearnings } from "../recording/memory.ts";
import { createSteps, type ItemResult } from "../steps.ts";
import { findAdrFolder } from "./adr-folder.ts";
import { buildItem, reviewItem, testItem, validateItem } from "./build-and-test.ts";
import { findEarlierWork } from "./earlier-work.ts";
import { runDesignStep, runResearchStep } from "./research-and-design.ts";
import { getRoute } from "./route.ts";

/** Runs one item along its route. The first step that does not pass blocks the item. */
export async function runItem(verbs: Verbs<unknown>, start: ItemStart): Promise<ItemResult> {
  const { item, roadmap, memory, base, note } = start;
  const earlier = await findEarlierWork(verbs, { left: memory.blocked[String(item.id)], item, base });
  const about = { item, learnings: listLearnings(roadmap, memory), earlier, note };
  const steps = createSteps(verbs, about);
  const { commands: known } = await verbs.see("startup");
  // No agent can change the roadmap file, so its announcements come from a person. They apply to this item only.
  const from = `item ${item.id} of the roadmap`;
  await verbs.announce(
    (item.announces ?? []).map((each) => ({ ...each, from })),
    { instead: true },
  );
  const adrs = findAdrFolder(await verbs.see("files", { under: "", in: base }));
  const place = { ...start, verbs, steps, route: getRoute(item), known, adrs, earlier };

  const found = await runResearchStep(place);
  if (!found) return steps.blocked();
  const prepared = await runDesignStep(place, found);
  if ("refused" in prepared) return prepared.refused;
  if (!place.route.includes("Implement")) return steps.done(prepared.tree, { adrPath: prepared.design?.adrPath ?? "" });

  const built = await buildItem(place, prepared);
  if (!built) return steps.blocked();
  if (place.route.includes("Architect (validation)") && !(await validateItem(place, prepared, built)))
    return steps.blocked();
  const tested = await testItem(place, built);
  if (!tested) return steps.blocked();
  if (!(await reviewItem(place, { ...built, ...tested }))) return steps.blocked();
  return steps.done(tested.tree, prepared.design ? { design: prepared.design.adrPath } : {});
}
