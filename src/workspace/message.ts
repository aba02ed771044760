const TRAILER = /^[A-Za-z0-9][A-Za-z0-9-]*: \S/;

/** The message with the run named in its trailers, which stay one block: git reads only the last paragraph. */
export function messageOf(message: string, run: string): string {
  const text = message.replace(/\s+$/, "");
  const trailer = `Signalbox-Run: ${run}`;
  const paragraphs = text.split(/\n[ \t]*\n/);
  const last = paragraphs.length > 1 ? (paragraphs.at(-1) ?? "").split("\n") : [];
  if (last.includes(trailer)) return `${text}\n`;
  const hasTrailers = last.length > 0 && last.every((row) => TRAILER.test(row) || /^\s+\S/.test(row));
  return `${text}${hasTrailers ? "\n" : "\n\n"}${trailer}\n`;
}
