/**
 * The form in which every database keeps a text: Postgres refuses NUL in it, and lone surrogates everywhere. What a rule
 * asks for has to be in the same form, or it would not find what was stored under that very name.
 */
export function storable(text: string): string {
  return text.replaceAll("\u0000", "\ufffd").toWellFormed();
}
