import { SignalboxError } from "../../core/failure/errors.ts";
import type { Host } from "../../core/ports/host.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import { requireAnchoredRecord } from "../runs/anchors/outdated-journal.ts";

type AnchorInputs = { readonly host: Pick<Host, "journal">; readonly workspace: Pick<Workspace, "anchor" | "keep"> };

/**
 * Anchors the journal's head in a ref, so that a change of the database alone is detected. Also protects the objects of
 * a suspended run from garbage collection.
 */
export async function anchorJournal({ host, workspace }: AnchorInputs, run: string, seq: number): Promise<void> {
  const last = (await host.journal.load(run, seq - 1)).at(-1);
  if (!last) return;
  try {
    const chain = `${last.seq}:${last.chain}`;
    await workspace.anchor({ run, chain, requireHeld: (earlier) => requireAnchoredRecord(host, run, earlier) });
    if (last.type === "run.suspended") await workspace.keep(run);
  } catch (error) {
    // The run is already suspended with its reason, or is anchored by the engine that resumes it.
    if (last.type !== "run.suspended" || isDamaged(error)) throw error;
  }
}

const isDamaged = (error: unknown): boolean => error instanceof SignalboxError && error.code === "JOURNAL_DAMAGED";
