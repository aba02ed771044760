export const HOLLOWS = ["skip", "return", "true", "delete"] as const;
export type Hollow = (typeof HOLLOWS)[number];

type Edit = {
  readonly path: string;
  readonly text: string;
  /** Zero-based lines whose tests are emptied; undefined selects all. */
  readonly lines?: ReadonlySet<number>;
};

/** Empties the tests around those lines. Returns undefined if there are none. */
export function hollowTests({ path, text, lines }: Edit, how: Exclude<Hollow, "delete">): string | undefined {
  const rows = text.split("\n");
  const style = path.endsWith(".py") ? PYTHON : detectStyle(text);
  const starts = rows.flatMap((row, at) => (style.start.test(row) ? [at] : []));
  const chosen = starts.filter((from, n) => !lines || touchesLines(lines, from, starts[n + 1] ?? rows.length));
  for (const from of chosen.toReversed()) {
    const to = starts.find((each) => each > from) ?? rows.length;
    rows.splice(from, to - from, ...style[how](rows.slice(from, to)));
  }
  const after = rows.join("\n");
  return after === text ? undefined : after;
}

function touchesLines(lines: ReadonlySet<number>, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (lines.has(at)) return true;
  return false;
}

type Rows = readonly string[];
type Style = { readonly start: RegExp } & Readonly<Record<Exclude<Hollow, "delete">, (rows: Rows) => Rows>>;

function detectStyle(text: string): Style {
  if (/["']tape["']/.test(text)) return { ...SCRIPT, start: TAPE, skip: skipTapeTest, return: endTapeTest };
  return /["']ava["']/.test(text)
    ? { ...SCRIPT, return: ([first = "", ...rest]) => [insertAfterBrace(first, "t.pass(); return;"), ...rest] }
    : SCRIPT;
}

const insertAfterBrace = (row: string, more: string): string => row.replace(/\{\s*$/, `{ ${more}`);

const SCRIPT: Style = {
  start: /^\s*(?:it|test)(?:\.(?:each|serial|concurrent)\b.*)?\(/,
  skip: ([first = "", ...rest]) => [first.replace(/\b(it|test)\b/, "$1.skip"), ...rest],
  return: ([first = "", ...rest]) => [insertAfterBrace(first, "return;"), ...rest],
  true: (rows) => rows.map((row) => row.replace(ASSERTION, (_, space: string, who: string) => `${space}${TRUE[who]};`)),
};

const TAPE = /^\s*(?:test|t|st)(?:\.test)?\(\s*['"`]/;
/** A complete assertion on one line, without `t.end()` and `t.plan()`. */
const ASSERTION = /^(\s*)(expect|assert|t|st|s2t)\b(?!\.(?:end|plan|test|teardown|timeout)\b)[.(].*\);?\s*$/;
const TRUE: Readonly<Record<string, string>> = {
  expect: "expect(true).toBe(true)",
  assert: "assert.equal(true, true)",
  t: "t.pass()",
  st: "st.pass()",
  s2t: "s2t.pass()",
};

function skipTapeTest([first = "", ...rest]: Rows): Rows {
  return [first.replace(/(['"`]), (?=function|\()/, "$1, { skip: true }, "), ...rest];
}

function endTapeTest([first = "", ...rest]: Rows): Rows {
  const [, name = "t"] = /\((\w+)\)\s*(?:=>)?\s*\{\s*$/.exec(first) ?? [];
  return [insertAfterBrace(first, `${name}.end(); return;`), ...rest];
}

const PYTHON: Style = {
  start: /^\s*def test_/,
  skip: ([first = "", ...rest]) => {
    const space = /^\s*/.exec(first)?.[0] ?? "";
    return [`${space}@__import__("pytest").mark.skip`, first, ...rest];
  },
  return: ([first = "", ...rest]) =>
    /:\s*$/.test(first) ? [first, `${/^\s*/.exec(first)?.[0]}    return`, ...rest] : [first, ...rest],
  true: (rows) => rows.map((row) => row.replace(/^(\s*)assert .*[^\\([{,]$/, "$1assert True")),
};
