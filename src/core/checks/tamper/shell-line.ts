export type ShellOperator = "&&" | "||" | ";" | "|";

/** Command of a shell line, as words, with the operator after it. */
export type ShellSegment = { readonly words: readonly string[]; readonly operator?: ShellOperator };

/**
 * Splits a shell text at its operators; a quoted text is one word. Not a full shell parser: it is only precise enough
 * to find program names.
 */
export function splitSegments(text: string): readonly ShellSegment[] {
  const segments: ShellSegment[] = [];
  let words: string[] = [];
  let at = 0;
  while (at < text.length) {
    const operator = readOperator(text, at);
    if (operator) {
      if (words.length > 0) segments.push({ words, operator });
      words = [];
      at += operator.length;
      continue;
    }
    const [word, next] = readWord(text, at);
    if (next > at) words.push(word);
    at = Math.max(next, at + 1);
  }
  return words.length > 0 ? [...segments, { words }] : segments;
}

function readOperator(text: string, at: number): ShellOperator | undefined {
  if (text.startsWith("&&", at)) return "&&";
  if (text.startsWith("||", at)) return "||";
  const char = text.charAt(at);
  if (char === "|") return "|";
  return char === ";" || char === "&" || char === "\n" ? ";" : undefined;
}

const ENDS_WORD = " \t\r\n;&|";

/** Returns the word that starts here, and its end. */
function readWord(text: string, from: number): readonly [string, number] {
  let word = "";
  let at = from;
  while (at < text.length && !ENDS_WORD.includes(text.charAt(at))) {
    const char = text.charAt(at);
    // At the end of a line a backslash continues the line; elsewhere it escapes a character.
    if (char === "\\") {
      word += text.charAt(at + 1).trim();
      at += 2;
      continue;
    }
    const end = char === '"' || char === "'" ? findClosing(text, at) : at;
    word += end > at ? text.slice(at + 1, end) : char;
    at = end + 1;
  }
  return [word, at];
}

function findClosing(text: string, at: number): number {
  const end = text.indexOf(text.charAt(at), at + 1);
  return end < 0 ? text.length : end;
}

const IDLE: ReadonlySet<string> = new Set(["echo", "printf", "true", "/bin/true", ":", "exit", "sleep", "false"]);

export function isIdle({ words: [program = ""] }: ShellSegment): boolean {
  return IDLE.has(program);
}

/** Matches a line that only prints, waits or exits: npm's placeholder for a missing test is one. */
export function isNoOp(text: string): boolean {
  return splitSegments(text).every(isIdle);
}

/** Returns whether this command always succeeds, regardless of earlier ones. */
export function isAlwaysSuccessful(segment: ShellSegment): boolean {
  const [program, argument] = segment.words;
  if (program === "exit") return argument === "0";
  return isIdle(segment) && program !== "false";
}
