import { z } from "zod";
import { Finding } from "../../core/authoring/finding.ts";
import type { JournalRecord } from "../../core/journal/record.ts";

const GateVerdict = z.object({ gate: z.string(), passed: z.boolean(), findings: z.array(Finding) });
type GateVerdict = z.infer<typeof GateVerdict>;
/** The answer to a question that let something pass. */
const AcceptedAnswer = z.object({ choice: z.string(), decision: z.object({ passed: z.literal(true) }) });

/** Most findings that are taken along; the latest ones say the most. */
const MOST = 8;

/**
 * Collects what an older run was refused for from a phase on: notes of people, gates that did not pass at its end (with
 * failing tests and output), and the reason of its end. A run that repeats the phase starts with it.
 */
export function listRefusalsSince(records: readonly JournalRecord[], begin: number): readonly Finding[] {
  const since = records.slice(begin);
  const gates = new Map<string, GateVerdict>();
  for (const record of since) {
    const judged = record.type === "step.finished" ? GateVerdict.safeParse(record.value).data : undefined;
    if (judged) gates.set(judged.gate, judged);
  }
  const against = [...gates.values()].filter(({ passed }) => !passed).flatMap(({ findings }) => findings);
  const heavy = against.filter(({ severity }) => severity !== "minor");
  const accepted = new Set(since.flatMap(getAcceptedKeys));
  const notes = since.filter((record) => !("key" in record && accepted.has(record.key))).flatMap(toNoteFinding);
  const found = deduplicateFindings([...notes, ...(heavy.length > 0 ? heavy : against)]);
  return [...found.slice(-MOST), ...since.flatMap((record) => toEndFinding(record, found))];
}

function getAcceptedKeys(record: JournalRecord): readonly string[] {
  return record.type === "step.finished" && AcceptedAnswer.safeParse(record.value).success ? [record.key] : [];
}

function toNoteFinding(record: JournalRecord): readonly Finding[] {
  if (record.type !== "approval.decided" || !record.note) return [];
  return [{ severity: "major", message: record.note, by: record.by }];
}

/** Skips an end whose reason only quotes the findings above. */
function toEndFinding(record: JournalRecord, found: readonly Finding[]): readonly Finding[] {
  if (record.type !== "run.finished" || record.status === "done" || record.reason === undefined) return [];
  const { reason } = record;
  const [first = ""] = reason.split("\n");
  const isTold = found.some(
    ({ message }) => reason.includes(message.split("\n")[0] ?? message) || message.includes(first),
  );
  return isTold ? [] : [{ severity: "major", message: `it ended: ${reason}` }];
}

const deduplicateFindings = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(findings.map((finding) => [finding.message, finding])).values(),
];
