import { SignalboxError } from "../../core/failure/errors.ts";
import { EXIT } from "../../core/failure/exit-codes.ts";
import { resolveGatePlace } from "../../core/journal/gate-place.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import type { Call } from "../call.ts";
import { readCurrentLedger } from "../inspect/current-ledger.ts";
import { formatEvaluations } from "../inspect/evaluation-lines.ts";
import { printRuleTexts } from "../inspect/gate-sql.ts";
import { loadKnownRules, matchesGate } from "../inspect/known-rules.ts";
import { createPastLedger } from "../inspect/past-ledger.ts";
import { type Evaluation, reevaluate } from "../inspect/reevaluate.ts";
import { type RecordedRun, withRun } from "../runs/with-run.ts";

export type GateFlags = {
  readonly run?: string;
  readonly sql?: boolean;
  readonly check?: boolean;
  readonly trust?: boolean;
};

/** Re-evaluates a gate: shows the recorded result, the result of its rules on the recorded rows now, and those rows. */
export async function showGate(call: Call, name: string, flags: GateFlags): Promise<number> {
  if (flags.sql) return printRuleTexts(call, name, flags);
  return withRun(call, flags.run, async (found) => {
    const matching = selectEvaluations(found, name);
    const known = await loadKnownRules(call, found, flags);
    const evaluations: Evaluation[] = [];
    const then = createPastLedger(found.records);
    for (const record of matching) evaluations.push(await reevaluate({ record, known, then }));
    const [first] = (await readCurrentLedger({ host: found.store.host, run: found.row.id, records: found.records }))
      .differences;
    const evaluation = { run: found.row.id, name, evaluations, difference: first?.message };
    const bad = hasFailedEvaluation(evaluations) || first !== undefined;
    if (call.json) call.emit({ v: 1, ...evaluation, passed: !bad, difference: evaluation.difference ?? null });
    else for (const line of formatEvaluations(call.paint, evaluation)) call.print(line);
    // No rule could be re-evaluated, so only recorded results were shown.
    if (evaluations.every((each) => each.agrees === null)) return EXIT.environment;
    return bad && flags.check ? 1 : 0;
  });
}

/** The last evaluation of each gate counts, as in the run. A result that no longer holds is always bad. */
function hasFailedEvaluation(evaluations: readonly Evaluation[]): boolean {
  const last = new Map(evaluations.map((each) => [`${resolveGatePlace(each)}\n${each.rule}`, each]));
  return [...last.values()].some((each) => !each.recorded.passed) || evaluations.some((each) => each.agrees === false);
}

function selectEvaluations({ row, records }: RecordedRun, name: string): readonly JournalRecord<"gate.evaluated">[] {
  const all = records.filter((record) => record.type === "gate.evaluated");
  const matching = all.filter((record) => matchesGate(name, record));
  if (matching.length > 0) return matching;
  const names = [...new Set(all.flatMap((record) => [record.gate, record.rule]))];
  const close = findNearestWord(name, names);
  throw new SignalboxError(
    "USAGE",
    `Run ${row.id} has not evaluated a gate or rule "${name}".${close ? ` Did you mean "${close}"?` : ""}`,
    names.length === 0
      ? "It has evaluated none yet. Print a rule's source with `signalbox gate <rule> --sql`."
      : `Evaluated: ${names.join(", ")}.`,
  );
}
