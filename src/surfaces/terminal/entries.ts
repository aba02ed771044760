/** What stands left, and the text that is set beside it, in as many lines as it needs. */
export type Entry = { readonly name: string; readonly text: string; readonly painted?: (line: string) => string };

export type EntryLayout = { readonly width: number; readonly indent?: number };

const GAP = 2;
/** A name longer than this has its text below it. */
const NAME_MOST = 26;

/** A list of names with their texts, the texts in one column. */
export function entries(list: readonly Entry[], { width, indent = 2 }: EntryLayout): string[] {
  const names = list.map(({ name }) => name.length).filter((length) => length <= NAME_MOST);
  const column = indent + Math.max(0, ...names) + GAP;
  return list.flatMap(({ name, text, painted = (line) => line }) => {
    const lines = wrap(text, width - column);
    const head = `${" ".repeat(indent)}${name}`;
    if (head.length + GAP > column) return [head, ...lines.map((line) => " ".repeat(column) + painted(line))];
    return lines.map((line, at) => `${(at === 0 ? head : "").padEnd(column)}${painted(line)}`.trimEnd());
  });
}

/** Lines of at most so many characters, broken at spaces; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [""];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1) ?? "";
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
