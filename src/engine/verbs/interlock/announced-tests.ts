import type { Announcement } from "../../../core/authoring/announcement.ts";
import { isAnnouncedTest, isFilelessPattern } from "../../../core/checks/exam/test-name.ts";
import type { Run } from "../../run.ts";
import { listKnownTests } from "../check-runs.ts";

/**
 * Leaves out patterns that name no file: `*` would excuse every test of the project.
 * @rule A-41 (policy) A question lists how many tests of the baseline an approval excuses, with their names and the
 *   diff of the tests. An announced pattern that names no file never counts.
 */
export function dropFilelessPatterns<A extends Announcement>(changes: readonly A[]): readonly A[] {
  return changes.flatMap((change) => {
    const tests = change.tests.filter((each) => !isFilelessPattern(each));
    return tests.length > 0 ? [{ ...change, tests }] : [];
  });
}

/** Lists the announced patterns that name no file. */
export function listFilelessPatterns(changes: readonly Announcement[]): readonly string[] {
  return changes.flatMap(({ tests }) => tests.filter(isFilelessPattern));
}

/** Says for each announcement how many tests of the baseline it covers, with up to five names. */
export async function describeAnnounced(run: Run, changes: readonly Announcement[]): Promise<readonly string[]> {
  if (changes.length === 0) return [];
  const known = await listKnownTests(run, run.started.base.tree);
  return changes.map((change) => `${change.was} → ${change.becomes}: ${describeOne(change, known)}`);
}

function describeOne({ tests }: Announcement, known: readonly string[] | undefined): string {
  const fileless = tests.filter(isFilelessPattern);
  const refused = fileless.map((each) => `"${each}" names no file and does not count; write "FILE › ${each}"`);
  const counted = tests.filter((each) => !fileless.includes(each));
  if (counted.length === 0) return refused.join("; ");
  if (known === undefined)
    return ["no command reports test names, so it is unknown what it excuses", ...refused].join("; ");
  const covered = known.filter((name) => counted.some((each) => isAnnouncedTest(each, name)));
  const names = covered.slice(0, SHOWN).map((name) => `"${name}"`);
  const more = covered.length - names.length;
  const listed = covered.length > 0 ? `: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}` : "";
  return [`excuses ${covered.length} of ${known.length} tests of the baseline${listed}`, ...refused].join("; ");
}

const SHOWN = 5;
