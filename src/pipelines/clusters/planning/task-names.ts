/** Longest task name, because a task is a file. */
export const MOST_NAME = 255;

/** Number of a task id: `01-greet`, `task-01-greet` and `TASK-001` have one. */
const NUMBER = /^(?:task[-_ ]?)?0*(\d+)(?=$|[-_.])/i;
const BARE = /^(?:task[-_ ]?)?0*(\d+)$/i;

/**
 * Resolves a reference in a plan to a task id: exact, by prefix or by number. An ambiguous or unknown reference is
 * returned unchanged and matches no id.
 */
export function createTaskResolver(known: readonly string[]): (said: string) => string {
  return (said) => {
    if (known.includes(said)) return said;
    const number = BARE.exec(said)?.[1];
    const hasSameNumber = (id: string): boolean => number !== undefined && NUMBER.exec(id)?.[1] === number;
    const meant = known.filter((id) => id.startsWith(`${said}-`) || id.startsWith(`${said}_`) || hasSameNumber(id));
    const [only, ...others] = [...new Set(meant)];
    return only !== undefined && others.length === 0 ? only : said;
  };
}

/** Separates a list of ids from the reason after it. */
const REASON = /\s+[—–]\s|\s--\s|\s\(|;|←/;
const NONE = /^(?:none|nothing|nobody|no\b|n\/?a\b|null|[-—–[\]\s]*$)/i;
const FILLER = /^(?:and|or|tasks?|only|&|\+)?$/i;

/** Parses ids from `[01-a, 02-b]`, `Task 01 and 02`, `05–07` or `none — but defines the words`. */
export function parseTaskIds(said: string): string[] {
  // Blanks are collapsed: a pattern that starts with blanks would be tried at each of them.
  const [list = ""] = said.replace(/\s+/g, " ").trim().split(REASON);
  const bare = list.replace(/^[`*_\s]+/, "");
  if (NONE.test(bare)) return [];
  const words = bare
    .split(/[\s,]+/)
    .filter((word) => word.length <= MOST_NAME)
    .map((word) => word.replace(/^[^\w]+|[^\w]+$/g, "").replace(/\.md$/, ""))
    .filter((word) => !FILLER.test(word));
  // In prose, only words with a digit are certainly tasks.
  const numbered = words.filter((word) => /\d/.test(word));
  return (numbered.length > 0 ? numbered : words).flatMap(expandRange);
}

/** Largest range of ids. */
const MOST_SPREAD = 100;

/** Expands `05–07` to three ids. */
function expandRange(word: string): readonly string[] {
  const [, from, to] = /^(\d{1,4})[–—](\d{1,4})$/.exec(word) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (from === undefined || !(last >= first && last - first < MOST_SPREAD)) return [word];
  return Array.from({ length: last - first + 1 }, (_each, at) => String(first + at).padStart(from.length, "0"));
}
