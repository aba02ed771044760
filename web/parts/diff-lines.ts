import type { Hunk } from "../../src/surfaces/server/port/diff.ts";

export type NumberedLine = {
  readonly kind: "+" | "-" | " ";
  readonly oldLine: number | null;
  /** Null for a line that the new file does not contain. */
  readonly newLine: number | null;
  readonly text: string;
};

/** Numbers the lines of a hunk in both files. */
export function numberLines({ lines, oldStart, newStart }: Hunk): readonly NumberedLine[] {
  let oldLine = oldStart;
  let newLine = newStart;
  return lines.map((line) => {
    const kind = line.startsWith("+") ? "+" : line.startsWith("-") ? "-" : " ";
    const text = line.slice(1);
    if (kind === "+") return { kind, oldLine: null, newLine: newLine++, text };
    if (kind === "-") return { kind, oldLine: oldLine++, newLine: null, text };
    return { kind, oldLine: oldLine++, newLine: newLine++, text };
  });
}
