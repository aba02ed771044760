import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournaledCheckout } from "../../core/ports/workspace.ts";
import { listTreeChanges, readTreeFile } from "../read/files.ts";
import { type CheckoutRecord, formatCheckoutRef, type RunCheckout, readCheckout } from "./checkout-record.ts";
import type { ObjectTravel } from "./travel.ts";

/** Paths that the error message lists. */
const MOST_LISTED = 5;

/**
 * Throws if a run's checkout on the git remote contains more than the run started with and wrote. Every member who can
 * push can move the ref, so a run reads only what its journal accounts for.
 */
export async function refuseForeignCheckout(
  { store, objects: { run } }: ObjectTravel,
  now: RunCheckout,
  { start, isOwnText }: JournaledCheckout,
): Promise<void> {
  // Journals of earlier versions do not name the commit.
  if (start === undefined) return;
  if ((now.begun ?? now.id) !== start)
    throw createForeignCheckoutError(run, start, "does not come from the run's first checkout");
  const first = now.id === start ? now : await readCheckout(store, run, start);
  const changes = await listTreeChanges(store, first.tree, now.tree);
  const foreign = changes.map(async ({ path }) => {
    const file = await readTreeFile(store, now.tree, path);
    return file && isOwnText(path, file.text) ? [] : [path];
  });
  const paths = (await Promise.all(foreign)).flat();
  if (paths.length > 0) {
    const rest = paths.length > MOST_LISTED ? `, and ${paths.length - MOST_LISTED} more` : "";
    const listed = paths.slice(0, MOST_LISTED).join(", ");
    throw createForeignCheckoutError(run, start, `holds files that the run did not write: ${listed}${rest}`);
  }
  const written = new Set(changes.map(({ path }) => path));
  if (describeRecord(now, written) !== describeRecord(first, written))
    throw createForeignCheckoutError(run, start, "describes another checkout than the run started with");
}

/** Excludes the fields that the run's own writes change. */
function describeRecord({ head, dirt, operation, books }: CheckoutRecord, written: ReadonlySet<string>): string {
  const { commit, tree, branch } = head;
  return JSON.stringify([commit, tree, branch, dirt.filter((path) => !written.has(path)).sort(), operation, books]);
}

function createForeignCheckoutError(run: string, start: string, problem: string): SignalboxError {
  const ref = formatCheckoutRef(run);
  return new SignalboxError(
    "OBJECT_GONE",
    `${ref} on the git remote ${problem}`,
    `It was overwritten by another push. Restore it from a clone that has the run's last state, or start over with \`git push --force <remote> ${start}:${ref}\`; then \`signalbox resume ${run}\`, or \`signalbox cancel\` it.`,
  );
}
