const GONE = "[signature]";
/** Value with a signature label. Words around the label are not signatures. */
const LABELLED = /(agent signature|signed_value)([\s"'`*]{0,3}[:=][\s"'`*]{0,4})[\w.-]+/gi;
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** Removes these values if they are whole words. A value inside another word is not a signature. */
export function removeSignedValues(text: string, values: readonly string[]): string {
  return values.reduce((left, value) => left.replace(createWordPattern(value), GONE), text);
}

/** Removes these values, and every value with a signature label. */
export const withoutSigned = (text: string, values: readonly string[]): string =>
  removeSignedValues(text.replace(LABELLED, `$1$2${GONE}`), values);

function createWordPattern(value: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${value.replace(SPECIAL, "\\$&")}(?![\\p{L}\\p{N}])`, "gu");
}
