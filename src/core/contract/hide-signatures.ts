const GONE = "[signature]";
/** A value that is named as one: words around the name are none. */
const LABELLED = /(agent signature|signed_value)([\s"'`*]{0,3}[:=][\s"'`*]{0,4})[\w.-]+/gi;
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** A text without these values: as words of their own, as a signature that is a piece of another word is nobody's. */
export function withoutValues(text: string, values: readonly string[]): string {
  return values.reduce((left, value) => left.replace(wordOf(value), GONE), text);
}

/** And without any that is only named as one. */
export const withoutSigned = (text: string, values: readonly string[]): string =>
  withoutValues(text.replace(LABELLED, `$1$2${GONE}`), values);

function wordOf(value: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${value.replace(SPECIAL, "\\$&")}(?![\\p{L}\\p{N}])`, "gu");
}
