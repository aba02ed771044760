/** Syntax of comments and strings in a language. */
export type Syntax = {
  readonly line: readonly string[];
  readonly block?: readonly [string, string];
  /** Quotes whose strings end at the latest with the line. */
  readonly quotes: string;
  /** Delimiters of strings that may span lines, longest first. */
  readonly long?: readonly string[];
  /** Delimiter in which a backslash is a literal character. */
  readonly raw?: string;
  /** A single quote encloses one character, as in `'a'`, or is not a quote. */
  readonly letters?: boolean;
  readonly regex?: boolean;
};

/** Blanks comments and the content of strings. The remaining code stays at its position. */
export function maskCode(text: string, syntax: Syntax): string {
  let code = "";
  let at = 0;
  while (at < text.length) {
    const span = findComment(text, at, syntax) ?? findString(text, at, syntax);
    const regex = span || !syntax.regex ? undefined : findRegexEnd(text, at);
    const end = span?.end ?? regex ?? 0;
    if (end <= at) {
      code += text.charAt(at);
      at += 1;
      continue;
    }
    code += span?.quote === undefined ? maskText(text.slice(at, end)) : maskQuoted(text.slice(at, end), span.quote);
    at = end;
  }
  return code;
}

/** Blanks comments only. */
export function maskComments(text: string, syntax: Syntax): string {
  let code = "";
  let at = 0;
  while (at < text.length) {
    const comment = findComment(text, at, syntax);
    const end = comment?.end ?? findString(text, at, syntax)?.end ?? at + 1;
    code += comment ? maskText(text.slice(at, end)) : text.slice(at, end);
    at = end;
  }
  return code;
}

type MaskedSpan = { readonly end: number; readonly quote?: string };

function findComment(text: string, at: number, { line, block }: Syntax): MaskedSpan | undefined {
  if (line.some((start) => text.startsWith(start, at))) {
    // An attribute, not a comment, in languages where `#` starts both.
    if (text.startsWith("#[", at)) return undefined;
    const end = text.indexOf("\n", at);
    return { end: end < 0 ? text.length : end };
  }
  if (!block || !text.startsWith(block[0], at)) return undefined;
  const end = text.indexOf(block[1], at + block[0].length);
  return { end: end < 0 ? text.length : end + block[1].length };
}

const LETTER = /'(?:\\[^\n]{1,8}?|[^'\\\n])'/y;

function findString(text: string, at: number, syntax: Syntax): MaskedSpan | undefined {
  const long = syntax.long?.find((quote) => text.startsWith(quote, at));
  if (long)
    return { end: long === syntax.raw ? findRawEnd(text, at, long) : findQuoteEnd(text, at, long), quote: long };
  const char = text.charAt(at);
  if (syntax.letters && char === "'") {
    LETTER.lastIndex = at;
    return LETTER.test(text) ? { end: LETTER.lastIndex, quote: char } : undefined;
  }
  return syntax.quotes.includes(char) ? { end: findLineStringEnd(text, at), quote: char } : undefined;
}

function findRawEnd(text: string, from: number, quote: string): number {
  const end = text.indexOf(quote, from + quote.length);
  return end < 0 ? text.length : end + quote.length;
}

function findQuoteEnd(text: string, from: number, quote: string): number {
  for (let at = from + quote.length; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return text.length;
}

function findLineStringEnd(text: string, from: number): number {
  const quote = text.charAt(from);
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\n") return at;
    if (char === "\\") at += 1;
    else if (char === quote) return at + 1;
  }
  return text.length;
}

const BEFORE_REGEX = "(,=:[!&|?{;~^+-*%";
const REGEX = /\/(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n]){0,200}\]|[^/\\[\n]){1,500}\//y;

/** Finds the end of the regular expression that starts here; a slash after a value is a division. */
function findRegexEnd(text: string, at: number): number | undefined {
  if (text.charAt(at) !== "/") return undefined;
  const before = text.slice(Math.max(0, at - 20), at).trimEnd();
  const isValue = before !== "" && !BEFORE_REGEX.includes(before.charAt(before.length - 1));
  if (isValue && !/\b(?:return|typeof|case|of|in)$/.test(before)) return undefined;
  REGEX.lastIndex = at;
  return REGEX.test(text) ? REGEX.lastIndex : undefined;
}

function maskText(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

function maskQuoted(text: string, quote: string): string {
  if (text.length < quote.length * 2) return maskText(text);
  return quote + maskText(text.slice(quote.length, -quote.length)) + quote;
}
