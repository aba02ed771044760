export type Line = {
  readonly text: string;
  /** True if the line opens or closes a fenced block. */
  readonly fence: boolean;
  /** True for a line inside a fenced block. */
  readonly inside: boolean;
};

/** Splits a Markdown text into lines with their code fences. An unterminated fence extends to the end. */
export function splitFencedLines(text: string): readonly Line[] {
  let open: string | undefined;
  return text.split("\n").map((line) => {
    const mark = matchFence(line);
    if (open === undefined) {
      open = mark;
      return { text: line, fence: mark !== undefined, inside: false };
    }
    const closes = line.trim() === mark && mark.startsWith(open);
    if (closes) open = undefined;
    return { text: line, fence: closes, inside: !closes };
  });
}

export function isBlank(line: string): boolean {
  return line.trim() === "";
}

export function isIndented(line: string): boolean {
  return line.startsWith(" ") || line.startsWith("\t");
}

function matchFence(line: string): string | undefined {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
}
