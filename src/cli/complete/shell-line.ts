/** Text before the cursor. The last word is the one to complete. */
export type ShellLine = {
  readonly words: readonly string[];
  /** The last word is inside quotes, so a completion needs no backslashes. */
  readonly quoted: boolean;
};

/** An escaped character, a quoted text that may be unfinished, white space, or plain characters. */
const PIECE =
  /\\(?<kept>.?)|'(?<single>[^']*)(?<end1>'?)|"(?<double>(?:[^"\\]|\\.)*)\\?(?<end2>"?)|(?<gap>\s+)|[^\s\\'"]+/gs;

/** Splits a POSIX shell line as far as completion needs it. Nothing is expanded or executed. */
export function parseShellLine(text: string): ShellLine {
  const words = [""];
  let quoted = false;
  for (const { 0: piece, groups: { kept, single, end1, double, end2, gap } = {} } of text.trimStart().matchAll(PIECE)) {
    quoted = (single !== undefined && end1 === "") || (double !== undefined && end2 === "");
    if (gap !== undefined) words.push("");
    else words.push(`${words.pop()}${kept ?? single ?? double?.replaceAll(/\\(.)/gs, "$1") ?? piece}`);
  }
  return { words, quoted };
}

/** Escapes a word for bash without quotes. */
export function escapeWord(word: string): string {
  return word.replaceAll(/[^\w./:=@%+,*-]/g, "\\$&");
}
