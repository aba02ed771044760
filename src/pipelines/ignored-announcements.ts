import type { Announcement } from "../core/authoring/announcement.ts";
import type { Verbs } from "../core/authoring/verbs.ts";

/**
 * An announcement that no person has approved lets nothing go; whoever wonders later why its tests still block finds it
 * here.
 */
export async function noteIgnored(
  { note }: Pick<Verbs<unknown>, "note">,
  ignored: readonly Announcement[],
  why: string,
): Promise<void> {
  if (ignored.length === 0) return;
  const tests = ignored.flatMap((each) => each.tests);
  await note({ "announcements that do not count": `${tests.join(", ")}: ${why}` });
}
