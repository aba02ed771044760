import { EXIT, SignalboxError } from "../../core/errors.ts";
import { nearest } from "../../core/nearest.ts";
import type { JournalRecord } from "../../core/record.ts";
import type { Call } from "../call.ts";
import { evaluationLines } from "../evaluation-lines.ts";
import { gateTexts } from "../gate-texts.ts";
import { type Evaluation, judgeAgain } from "../judge-again.ts";
import { isNamed, rulesKnown } from "../rules.ts";
import { type RunBook, withRun } from "../run-book.ts";

export type GateFlags = {
  readonly run?: string;
  readonly sql?: boolean;
  readonly check?: boolean;
  readonly trust?: boolean;
};

/** Asks a gate again: what was recorded, what the ledger says now, and the rows in between. */
export async function gate(call: Call, name: string, flags: GateFlags): Promise<number> {
  if (flags.sql) return gateTexts(call, name, flags);
  return withRun(call, flags.run, async (found) => {
    const meant = evaluationsOf(found, name);
    const known = await rulesKnown(call, found, flags);
    const evaluations: Evaluation[] = [];
    for (const record of meant) evaluations.push(await judgeAgain(found, record, known));
    const bad = isBad(evaluations);
    if (call.json) call.emit({ v: 1, run: found.row.id, name, passed: !bad, evaluations });
    else for (const line of evaluationLines(call.paint, { run: found.row.id, name, evaluations })) call.print(line);
    // What is shown was recorded; nothing of it was judged.
    if (evaluations.every((each) => each.agrees === null)) return EXIT.environment;
    return bad && flags.check ? 1 : 0;
  });
}

/** The last word of each gate counts as in the run itself; a word that no longer holds is always bad. */
function isBad(evaluations: readonly Evaluation[]): boolean {
  const last = new Map(evaluations.map((each) => [`${each.gate}\n${each.rule}`, each]));
  return [...last.values()].some((each) => !each.recorded.passed) || evaluations.some((each) => each.agrees === false);
}

function evaluationsOf({ row, records }: RunBook, name: string): readonly JournalRecord<"gate.evaluated">[] {
  const all = records.filter((record) => record.type === "gate.evaluated");
  const meant = all.filter((record) => isNamed(name, record));
  if (meant.length > 0) return meant;
  const names = [...new Set(all.flatMap((record) => [record.gate, record.rule]))];
  const close = nearest(name, names);
  throw new SignalboxError(
    "USAGE",
    `The run ${row.id} has evaluated no gate or rule "${name}".${close ? ` Did you mean "${close}"?` : ""}`,
    names.length === 0
      ? "It has evaluated none so far. The text of a rule: signalbox gate <rule> --sql"
      : `It has evaluated: ${names.join(", ")}.`,
  );
}
