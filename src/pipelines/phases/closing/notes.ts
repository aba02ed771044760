import type { Verbs } from "../../../core/authoring/verbs.ts";
import { nextWave, type Progress } from "../context.ts";
import type { Context } from "../iteration.ts";
import type { Phase } from "../planning/plan.ts";

export const NOTES_FILE = "NOTES.md";
const BULLETS_IN_A_ROW = 3;
const LONGEST = 160;

/** The notes name what is being done and how far it is; everything else in them has to earn its place. */
export async function writeNotes(
  { see, write }: Verbs<unknown>,
  { policy }: Context,
  { progress, phase }: { readonly progress: Progress; readonly phase?: Phase },
): Promise<void> {
  const before = await see("file", { path: NOTES_FILE, in: progress.tree });
  const active = activeIn(progress, phase);
  await write(NOTES_FILE, notesText({ before: before?.text ?? "", active }, policy.memory_hygiene.notes_md_max_lines));
}

/** After one phase, or with none once all of them are done: what is committed says that nothing comes next. */
export function activeIn({ plan, done }: Pick<Progress, "plan" | "done">, phase?: Phase): Notes["active"] {
  const { summary: objective, phases } = plan;
  const all = phases.length;
  if (!phase) return { objective, phase: `${done.size} of ${all}: complete`, next: "nothing, it is complete" };
  const [next] = nextWave(plan, [...done.keys()]);
  return {
    objective,
    phase: `${phase.phase_id} of ${all}, ${phase.title}: complete`,
    next: next ? `${next.phase_id} of ${all}, ${next.title}` : "completion",
  };
}

type Notes = {
  readonly before: string;
  readonly active: { readonly objective: string; readonly phase: string; readonly next: string };
};

export function notesText({ before, active }: Notes, most: number): string {
  const lines = [
    "# Notes",
    "",
    "## Active",
    "",
    `Objective: ${line(active.objective)}`,
    `Phase: ${line(active.phase)}`,
    `Next: ${line(active.next)}`,
    ...kept(before),
  ];
  return `${clean(lines).slice(0, most).join("\n").trimEnd()}\n`;
}

/** What somebody else noted stays, without the section that is written anew. */
function kept(before: string): readonly string[] {
  const lines = before.replace(/^# Notes\s*\n/, "").split("\n");
  const from = lines.findIndex((each) => each.trim() === "## Active");
  const to = lines.findIndex((each, at) => at > from && each.startsWith("## "));
  const others = from === -1 ? lines : [...lines.slice(0, from), ...(to === -1 ? [] : lines.slice(to))];
  const text = others.join("\n").trim();
  return text === "" ? [] : ["", ...text.split("\n")];
}

const TRANSIENT = /\b(?:iterations?|verdicts?)\b|\bphase-\d+-/i;

/**
 * Drops what belongs to one round of one task: its counters, its judgements, its files, its code.
 * @rule P-43 (policy) The notes are short, current and free of one task's own traces; a fact is kept only whole, and a
 *   second like it only by choice.
 */
export function clean(lines: readonly string[]): readonly string[] {
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

/** One short line that the rules of the file let stand: an objective is never lost to a word in it. */
const line = (text: string): string =>
  text
    .replace(/\biteration(s?)\b/gi, "round$1")
    .replace(/\bverdict(s?)\b/gi, "result$1")
    .replace(/\bphase-(\d+)-/gi, "phase $1 ")
    .replace(/```/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LONGEST);
