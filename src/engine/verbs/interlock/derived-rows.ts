import { SignalboxError } from "../../../core/failure/errors.ts";
import { findRowDifferences } from "../../../core/journal/ledger-difference.ts";
import { createDerivation, type Derivation } from "../../../core/journal/ledger-rows.ts";
import type { Run } from "../../run.ts";

/**
 * Throws unless the ledger matches the journal: no gate and no commit may rely on other rows.
 * @rule A-29 (policy) Before rules over the ledger are evaluated and before a commit, its rows are derived again from
 *   the journal. Any difference is refused.
 */
export async function refuseForgedRows(run: Run): Promise<void> {
  const difference = await findLedgerDifference(run);
  if (difference === undefined) return;
  throw new SignalboxError(
    "LEDGER_FORGED",
    `The ledger of run ${run.id} does not match its journal: ${difference}.`,
    `Something other than the engine wrote to it. List all differences with \`signalbox evidence ${run.id} --verify\`, restore the rows, then resume.`,
  );
}

/** The first row in which the stored ledger differs from the one derived from the journal, in one sentence. */
export async function findLedgerDifference(run: Run): Promise<string | undefined> {
  return readSettledRows(run, async () => {
    const stored = await run.host.ledger.rows(run.id);
    return findRowDifferences(await deriveRows(run), stored).next().value?.message;
  });
}

/** Queries the ledger while no row is added to it, so that the answer covers exactly the rows recorded so far. */
export async function readSettledRows<T>(run: Run, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const before = run.recorder.rowsAt;
    await run.recorder.durable();
    const answer = await ask();
    if (run.recorder.rowsAt === before) return answer;
  }
}

/** Caches derived rows: a run has many gates, and its journal only grows. */
const DERIVATIONS = new WeakMap<Run, Derivation>();

async function deriveRows(run: Run): Promise<Derivation["rows"]> {
  const derivation = DERIVATIONS.get(run) ?? startDerivation(run);
  DERIVATIONS.set(run, derivation);
  const fresh = await run.host.journal.load(run.id, derivation.seq);
  // A parallel branch may have taken these records already.
  derivation.take(fresh.filter(({ seq }) => seq > derivation.seq));
  return derivation.rows;
}

function startDerivation(run: Run): Derivation {
  const derivation = createDerivation();
  derivation.take(run.history.records);
  return derivation;
}
