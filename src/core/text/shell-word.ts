/** Text as a shell takes it for one word: in double quotes, unless something in it would mean more there. */
export function shellWord(text: string): string {
  if (/^[\w:/.=@,+-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
