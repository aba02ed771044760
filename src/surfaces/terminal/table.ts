/** One cell. `painted` may contain color sequences; the width is that of `text`. */
export type TableCell = { readonly text: string; readonly painted?: string };

export function formatTable(rows: readonly (readonly TableCell[])[], gap = 2): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.text.length);
  }
  return rows.map((row) =>
    row
      .map((cell, at) => {
        const last = at === row.length - 1;
        const space = last ? "" : " ".repeat((widths[at] ?? 0) - cell.text.length + gap);
        return `${cell.painted ?? cell.text}${space}`;
      })
      .join("")
      .trimEnd(),
  );
}
