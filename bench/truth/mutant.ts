export type Mutant = { readonly text: string; readonly line: number; readonly what: string };

/** Lists variants of a source with one operator reversed, each on one of those lines. */
export function listMutants(text: string, lines: ReadonlySet<number>): readonly Mutant[] {
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
