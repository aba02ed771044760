import { maskCode } from "../../tamper/code-mask.ts";
import { subtractLines } from "../../tamper/line-tally.ts";
import { getTestLanguage } from "../../tamper/test-language.ts";
import type { TextChange } from "../../tamper/text-change.ts";

/**
 * Finds new lines of tests and sources that look different to a reader than to the compiler: characters that reverse
 * the text direction, names that mix Latin and Cyrillic letters or contain invisible ones, and encodings in which code
 * looks like a comment.
 */
export function findHiddenText(changes: readonly TextChange[]): readonly string[] {
  return changes.flatMap(({ path, before = "", after = "" }) => {
    const language = getTestLanguage(path);
    if (!language) return [];
    const lines = subtractLines(after.split("\n"), before.split("\n"));
    const suspicious = lines.filter((line) => SUSPICIOUS.test(line));
    if (suspicious.length === 0) return [];
    const names = suspicious.some((line) => MIXED.test(maskCode(line, language.syntax)));
    const how = [
      ...(suspicious.some((line) => TURNS.test(line)) ? ["letters that turn the order of the text round"] : []),
      ...(names ? ["names with letters that look like others or are invisible"] : []),
      ...(suspicious.some((line) => ENCODES.test(line)) ? ["an encoding that hides code"] : []),
    ];
    return how.map((what) => `${path}: ${what}.`);
  });
}

const TURNS = /[\u202A-\u202E\u2066-\u2069]/;
const MIXED = /[A-Za-z][\u0400-\u04FF]|[\u0400-\u04FF][A-Za-z]|\w[\u200B-\u200D\u2060]+\w/;
const ENCODES =
  /^\s*#.*\bcoding[:=]\s*(?:utf[-_]?7|utf[-_]?16\w*|(?:raw_)?unicode[-_]escape|punycode|idna|rot_?13|hex|base64)\b/i;
const SUSPICIOUS = new RegExp([TURNS, MIXED, ENCODES].map(({ source }) => source).join("|"), "i");
