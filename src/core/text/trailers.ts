/**
 * Matches a trailer: `Refs: A-1`, `Signed-off-by: Ada`. Git reads trailers only in the last paragraph, and only if it
 * contains nothing else.
 */
const TRAILER = /^(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+|Fixes|Closes|Resolves|Refs?|See|Bug|Issue|Cc): \S/;

/** Indents lines of a foreign text that git or Signalbox would read as trailers, so that they stay plain text. */
export const withoutTrailers = (text: string): string =>
  text
    .split("\n")
    .map((line) => (TRAILER.test(line) || OURS.test(line) ? `  ${line}` : line))
    .join("\n");

/**
 * Indents lines that imitate the engine's own trailers, which name the agents and the records behind a commit. Applied
 * to every message that the engine receives.
 */
export const escapeOwnTrailers = (text: string): string =>
  text
    .split("\n")
    .map((line) => (OURS.test(line) ? `  ${line}` : line))
    .join("\n");

const OURS = /^signalbox-[a-z]+:/i;

/** Appends a trailer to the message. Existing trailers and the new one stay one block, separate from the body. */
export function addTrailer(message: string, trailer: string): string {
  const text = message.replace(/\s+$/, "");
  const paragraphs = text.split(/\n[ \t]*\n/);
  const last = paragraphs.length > 1 ? (paragraphs.at(-1) ?? "").split("\n") : [];
  if (last.includes(trailer)) return text;
  const isBlock = TRAILER.test(last[0] ?? "") && last.every((row) => TRAILER.test(row) || /^\s+\S/.test(row));
  return `${text}${isBlock ? "\n" : "\n\n"}${trailer}`;
}
