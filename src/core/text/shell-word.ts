/** Quotes a text as one shell word: in double quotes, unless it contains characters that are special there. */
export function quoteShellWord(text: string): string {
  if (/^[\w:/.=@,+-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
