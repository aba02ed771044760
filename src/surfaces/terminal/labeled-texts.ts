/** A name with a text that is set in the column next to it. */
export type LabeledText = { readonly name: string; readonly text: string; readonly painted?: (line: string) => string };

export type EntryLayout = { readonly width: number; readonly indent?: number };

const GAP = 2;
/** Longer names have their text on the next line. */
const MAX_NAME = 26;

/** Formats a list of names with their texts in one column. */
export function formatLabeledTexts(list: readonly LabeledText[], { width, indent = 2 }: EntryLayout): string[] {
  const names = list.map(({ name }) => name.length).filter((length) => length <= MAX_NAME);
  const column = indent + Math.max(0, ...names) + GAP;
  return list.flatMap(({ name, text, painted = (line) => line }) => {
    const lines = wrapWords(text, width - column);
    const head = `${" ".repeat(indent)}${name}`;
    if (head.length + GAP > column) return [head, ...lines.map((line) => " ".repeat(column) + painted(line))];
    return lines.map((line, at) => `${(at === 0 ? head : "").padEnd(column)}${painted(line)}`.trimEnd());
  });
}

/** Wraps a text at spaces. A word longer than `width` gets a line of its own. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [""];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1) ?? "";
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
