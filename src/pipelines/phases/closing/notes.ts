import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Phase } from "../planning/plan.ts";
import { findNextWave, type Progress } from "../progress.ts";
import type { PhasesContext } from "../run-context.ts";

export const NOTES_FILE = "NOTES.md";
const BULLETS_IN_A_ROW = 3;
const LONGEST = 160;

/** Writes NOTES.md with the objective and the current phase. */
export async function writeNotes(
  { see, write }: Verbs<unknown>,
  { policy }: PhasesContext,
  { progress, phase }: { readonly progress: Progress; readonly phase?: Phase },
): Promise<void> {
  const before = await see("file", { path: NOTES_FILE, in: progress.tree });
  const active = describeActive(progress, phase);
  await write(
    NOTES_FILE,
    formatNotesFile({ before: before?.text ?? "", active }, policy.memory_hygiene.notes_md_max_lines),
  );
}

/** State after one phase, or after all phases if none is given: the committed notes then say that nothing is next. */
export function describeActive({ plan, done }: Pick<Progress, "plan" | "done">, phase?: Phase): NotesInput["active"] {
  const { summary: objective, phases } = plan;
  const all = phases.length;
  if (!phase) return { objective, phase: `${done.size} of ${all}: complete`, next: "nothing, it is complete" };
  const [next] = findNextWave(plan, [...done.keys()]);
  return {
    objective,
    phase: `${phase.phase_id} of ${all}, ${phase.title}: complete`,
    next: next ? `${next.phase_id} of ${all}, ${next.title}` : "completion",
  };
}

type NotesInput = {
  readonly before: string;
  readonly active: { readonly objective: string; readonly phase: string; readonly next: string };
};

export function formatNotesFile({ before, active }: NotesInput, most: number): string {
  const lines = [
    "# Notes",
    "",
    "## Active",
    "",
    `Objective: ${toNoteLine(active.objective)}`,
    `Phase: ${toNoteLine(active.phase)}`,
    `Next: ${toNoteLine(active.next)}`,
    ...keepOtherNotes(before),
  ];
  return `${dropTransientLines(lines).slice(0, most).join("\n").trimEnd()}\n`;
}

/** Keeps notes of others; only the Active section is rewritten. */
function keepOtherNotes(before: string): readonly string[] {
  const lines = before.replace(/^# Notes\s*\n/, "").split("\n");
  const from = lines.findIndex((each) => each.trim() === "## Active");
  const to = lines.findIndex((each, at) => at > from && each.startsWith("## "));
  const others = from === -1 ? lines : [...lines.slice(0, from), ...(to === -1 ? [] : lines.slice(to))];
  const text = others.join("\n").trim();
  return text === "" ? [] : ["", ...text.split("\n")];
}

const TRANSIENT = /\b(?:iterations?|verdicts?)\b|\bphase-\d+-/i;

/**
 * Drops what belongs to one round of one task: its counters, verdicts, files and code.
 * @rule P-43 (policy) NOTES.md is short, current and free of one task's traces; a fact is stored only if complete, and
 *   if it resembles a stored fact, the engine asks skip, merge or new.
 */
export function dropTransientLines(lines: readonly string[]): readonly string[] {
  let bullets = 0;
  let fenced = false;
  return lines.filter((each) => {
    const fence = each.trimStart().startsWith("```");
    if (fence) fenced = !fenced;
    if (fence || fenced || TRANSIENT.test(each)) return false;
    bullets = /^\s*[-*+]\s/.test(each) ? bullets + 1 : 0;
    return bullets <= BULLETS_IN_A_ROW;
  });
}

/** Shortens a text to one line that `clean` does not drop, so that the objective is never lost. */
const toNoteLine = (text: string): string =>
  text
    .replace(/\biteration(s?)\b/gi, "round$1")
    .replace(/\bverdict(s?)\b/gi, "result$1")
    .replace(/\bphase-(\d+)-/gi, "phase $1 ")
    .replace(/```/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LONGEST);
