import { z } from "zod";
import { SignalboxError } from "../../core/failure/errors.ts";
import { NEUTRAL_IDENTITY } from "../attempt/identity.ts";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";

/** The state of a checkout that a tree does not contain. */
const RecordSchema = z.object({
  /** The commit that the person who started the run had checked out. */
  head: z.object({ commit: z.string(), tree: z.string(), branch: z.string().nullable() }),
  dirt: z.array(z.string()),
  operation: z.string().nullable(),
  /** Ignored files and folders in which pipelines store their records. */
  books: z.array(z.string()),
  /** The run's first checkout; missing in that one. */
  begun: z.string().optional(),
});
export type CheckoutRecord = z.infer<typeof RecordSchema>;

/** The checkout of a run at one moment. */
export type RunCheckout = CheckoutRecord & { readonly id: string; readonly tree: string };

export const formatCheckoutRef = (run: string): string => `refs/signalbox/${run}/checkout`;

type NewCheckout = {
  readonly run: string;
  readonly tree: string;
  readonly parent: string;
  readonly record: CheckoutRecord;
};

/** Creates only the object; the record is its message. */
export async function writeCheckout(store: GitStore, { run, tree, parent, record }: NewCheckout): Promise<string> {
  const input = `Checkout of run ${run}\n\n${JSON.stringify(record)}\n`;
  return getLine(await store.ask(["commit-tree", tree, "-p", parent, "-F", "-"], { env: NEUTRAL_IDENTITY, input }));
}

export async function readCheckout(store: GitStore, run: string, id: string): Promise<RunCheckout> {
  const text = (await store.ask(["cat-file", "commit", id])).out.toString("utf8");
  const [, tree = ""] = /^tree ([0-9a-f]+)$/m.exec(text) ?? [];
  const json = text.slice(text.indexOf("\n\n", text.indexOf("\n\n") + 2)).trim();
  try {
    return { ...RecordSchema.parse(JSON.parse(json)), id, tree };
  } catch (cause) {
    throw createUnreadableCheckoutError(run, cause);
  }
}

export function createMissingCheckoutError(run: string): SignalboxError {
  return new SignalboxError(
    "OBJECT_GONE",
    `The git remote has no ${formatCheckoutRef(run)}, the checkout that run ${run} started with`,
    "The run's refs were deleted there. Push them again from a clone that has them, then run `signalbox resume`; otherwise `signalbox cancel` it and start a new one.",
  );
}

function createUnreadableCheckoutError(run: string, cause: unknown): SignalboxError {
  return new SignalboxError(
    "OBJECT_GONE",
    `${formatCheckoutRef(run)} on the git remote is not a checkout that Signalbox wrote`,
    "It was overwritten. Restore it from a clone that has it, then run `signalbox resume`; otherwise `signalbox cancel` the run and start a new one.",
    { cause },
  );
}
