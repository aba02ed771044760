/** `Refs: A-1`, `Signed-off-by: Ada`: git reads them in the last paragraph only, and only where nothing else is in it. */
const TRAILER = /^(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+|Fixes|Closes|Resolves|Refs?|See|Bug|Issue|Cc): \S/;

/** Lines of somebody's text that git, or we ourselves, would read as trailers, as the plain text that they are. */
export const withoutTrailers = (text: string): string =>
  text
    .split("\n")
    .map((line) => (TRAILER.test(line) || OURS.test(line) ? `  ${line}` : line))
    .join("\n");

/** The engine's own say who worked and which records stand behind it: in no message that it is given. */
export const withoutOurTrailers = (text: string): string =>
  text
    .split("\n")
    .map((line) => (OURS.test(line) ? `  ${line}` : line))
    .join("\n");

const OURS = /^signalbox-[a-z]+:/i;

/** The message with one more trailer; those it has and this one stay one block, and a body is never part of it. */
export function withTrailer(message: string, trailer: string): string {
  const text = message.replace(/\s+$/, "");
  const paragraphs = text.split(/\n[ \t]*\n/);
  const last = paragraphs.length > 1 ? (paragraphs.at(-1) ?? "").split("\n") : [];
  if (last.includes(trailer)) return text;
  const isBlock = TRAILER.test(last[0] ?? "") && last.every((row) => TRAILER.test(row) || /^\s+\S/.test(row));
  return `${text}${isBlock ? "\n" : "\n\n"}${trailer}`;
}
