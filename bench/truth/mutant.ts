export type Mutant = { readonly text: string; readonly line: number; readonly what: string };

/** The same source with one operator turned round, on one of those lines where there is a place. */
export function mutantsOf(text: string, lines: ReadonlySet<number>): readonly Mutant[] {
  const rows = text.split("\n");
  return rows.flatMap((row, at) => {
    if (!lines.has(at) || /^\s*(?:\/\/|\*|\/\*|#|import\b|export \*)/.test(row)) return [];
    const turn = TURNS.find(([from]) => row.includes(from));
    if (!turn) return [];
    const [from, to] = turn;
    return [
      {
        text: rows.with(at, row.replace(from, to)).join("\n"),
        line: at,
        what: `line ${at + 1}: ${from.trim()} → ${to.trim()}`,
      },
    ];
  });
}

const TURNS: readonly (readonly [string, string])[] = [
  [" === ", " !== "],
  [" !== ", " === "],
  [" == ", " != "],
  [" != ", " == "],
  [" && ", " || "],
  [" || ", " && "],
  [" < ", " >= "],
  [" > ", " <= "],
  [" + ", " - "],
  [" true", " false"],
  [" false", " true"],
  ["if (", "if (!"],
  ["return ", "return !"],
];
