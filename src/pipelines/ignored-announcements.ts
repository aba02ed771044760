import type { Announcement } from "../core/authoring/announcement.ts";
import type { Verbs } from "../core/authoring/verbs.ts";

/**
 * Records declared behaviour changes that do not count because no person approved them, so that `why` can explain their
 * failing tests.
 */
export async function recordIgnoredAnnouncements(
  { note }: Pick<Verbs<unknown>, "note">,
  ignored: readonly Announcement[],
  why: string,
): Promise<void> {
  if (ignored.length === 0) return;
  const tests = ignored.flatMap((each) => each.tests);
  await note({ "announcements that do not count": `${tests.join(", ")}: ${why}` });
}
