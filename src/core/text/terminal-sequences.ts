/**
 * Removes terminal sequences: colours, movements, titles, links. Runs in linear time. An unterminated sequence loses
 * only its introducer, so it cannot hide the rest of a text.
 */
export function removeSequences(text: string): string {
  const parts: string[] = [];
  let from = 0;
  START.lastIndex = 0;
  for (let start = START.exec(text); start !== null; start = START.exec(text)) {
    parts.push(text.slice(from, start.index));
    from = findSequenceEnd(text, start.index);
    START.lastIndex = from;
  }
  return from === 0 ? text : parts.join("") + text.slice(from);
}

/** Escape, and the single-character introducers of a sequence. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what commands begin with.
const START = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/g;
/** Parameters, intermediate characters, and the final letter. */
const CONTROL = /[0-?]{0,256}[ -/]{0,16}[@-~]/y;
/** Up to the terminator on the same line; titles and links are short. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what such a text ends with.
const STRING = /[^\u0007\u001b\u009c\n]{0,4096}(?:\u0007|\u001b\\|\u009c)/y;
const OTHER = /[ -/]{0,16}[0-~]/y;

const KINDS: Readonly<Record<string, RegExp>> = {
  "[": CONTROL,
  "\u009b": CONTROL,
  "]": STRING,
  P: STRING,
  X: STRING,
  "^": STRING,
  _: STRING,
  "\u0090": STRING,
  "\u0098": STRING,
  "\u009d": STRING,
  "\u009e": STRING,
  "\u009f": STRING,
};

/** Returns the index after the sequence that starts here, or after its introducer if it is incomplete. */
function findSequenceEnd(text: string, at: number): number {
  const escaped = text.charAt(at) === "\u001b";
  const kind = KINDS[text.charAt(escaped ? at + 1 : at)];
  const body = at + (escaped && kind ? 2 : 1);
  const pattern = kind ?? OTHER;
  pattern.lastIndex = body;
  return pattern.test(text) ? pattern.lastIndex : Math.min(body, text.length);
}
