import type { SettledChoice } from "./clarification.ts";
import type { Phase, Plan } from "./plan.ts";

type PhaseFiles = Pick<Phase, "phase_id" | "files">;

/** Selects the phases that a comment names by number or file; all phases if it names none. */
export function selectConcernedPhases<P extends PhaseFiles>(comment: string, phases: readonly P[]): readonly P[] {
  const paths = new Set(findNamedFiles(comment, phases.flatMap(listPhasePaths)));
  const numbers = new Set(findNamedPhases(comment));
  const named = phases.filter(
    (phase) => numbers.has(phase.phase_id) || listPhasePaths(phase).some((path) => paths.has(path)),
  );
  return named.length > 0 ? named : phases;
}

/** Decisions of people that concern one phase. */
export function selectDecisions(
  decisions: readonly SettledChoice[],
  { phases }: Pick<Plan, "phases">,
  phase: Phase,
): readonly SettledChoice[] {
  const all = phases.map((each) => (each.phase_id === phase.phase_id ? phase : each));
  return decisions.filter(({ question, choice }) =>
    selectConcernedPhases(`${question}\n${choice}`, all).includes(phase),
  );
}

/** Finds named files: first by full path, then by file name in the rest of the text. */
export function findNamedFiles(comment: string, paths: readonly string[]): readonly string[] {
  const whole = paths.filter((path) => isPathNamed(path, comment));
  const rest = whole.reduce((text, path) => text.replaceAll(path, " "), comment);
  return [...whole, ...paths.filter((path) => !whole.includes(path) && isPathNamed(getFileName(path), rest))];
}

function findNamedPhases(comment: string): readonly number[] {
  const lists = [...comment.matchAll(/\bphases?\s+(\d{1,3}(?:(?:\s*,\s*|\s+and\s+|\s*-\s*|\s+to\s+)\d{1,3})*)/gi)];
  return lists.flatMap(([, list = ""]) => parseNumbers(list));
}

/** Parses `1, 2 and 4 to 6`. */
function parseNumbers(list: string): readonly number[] {
  return list.split(/,|\band\b/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/-|\bto\b/).map(Number);
    return Array.from({ length: Math.max(to - from + 1, 0) }, (_, at) => from + at);
  });
}

const listPhasePaths = ({ files }: PhaseFiles): readonly string[] => files.map(({ path }) => path);

/** `greet.ts` for `src/greet.ts`; a name without an extension could be any word. */
function getFileName(path: string): string {
  const name = path.split("/").at(-1) ?? path;
  return name.includes(".") ? name : path;
}

const PART = /[\w/-]/;

/** Matches a whole path, not a part of another one. */
function isPathNamed(path: string, comment: string): boolean {
  for (let at = comment.indexOf(path); at >= 0; at = comment.indexOf(path, at + 1)) {
    const before = comment[at - 1] ?? " ";
    const after = comment[at + path.length] ?? " ";
    if (!PART.test(before) && before !== "." && !PART.test(after)) return true;
  }
  return false;
}
