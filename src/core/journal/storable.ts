/**
 * The form in which every database keeps a text: Postgres refuses NUL in it, and lone surrogates everywhere. What a rule
 * asks for has to be in the same form, or it would not find what was stored under that very name.
 */
export function storable(text: string): string {
  // Every text of every row passes here, and hardly one has a NUL.
  return (text.includes("\u0000") ? text.replaceAll("\u0000", "\ufffd") : text).toWellFormed();
}
