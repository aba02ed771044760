/** What stands before the cursor: the words, the last of which is the one to be completed. */
export type TypedLine = {
  readonly words: readonly string[];
  /** The last word is inside of quotes: what is put there needs no backslashes. */
  readonly quoted: boolean;
};

/** A letter behind a backslash, a text in either quotes or what has begun of it, a gap, or plain letters. */
const PIECE =
  /\\(?<kept>.?)|'(?<single>[^']*)(?<end1>'?)|"(?<double>(?:[^"\\]|\\.)*)\\?(?<end2>"?)|(?<gap>\s+)|[^\s\\'"]+/gs;

/** A line of a POSIX shell, taken apart as far as completing needs it; nothing in it is ever expanded or run. */
export function typedLine(text: string): TypedLine {
  const words = [""];
  let quoted = false;
  for (const { 0: piece, groups: { kept, single, end1, double, end2, gap } = {} } of text.trimStart().matchAll(PIECE)) {
    quoted = (single !== undefined && end1 === "") || (double !== undefined && end2 === "");
    if (gap !== undefined) words.push("");
    else words.push(`${words.pop()}${kept ?? single ?? double?.replaceAll(/\\(.)/gs, "$1") ?? piece}`);
  }
  return { words, quoted };
}

/** As bash takes it without quotes. */
export function escapedWord(word: string): string {
  return word.replaceAll(/[^\w./:=@%+,*-]/g, "\\$&");
}
