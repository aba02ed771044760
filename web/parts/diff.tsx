import { Fragment, type ReactNode } from "react";
import type { FileDiff, Hunk } from "../../src/surfaces/server/port/diff.ts";
import { type NumberedLine, numberLines } from "./diff-lines.ts";

type Props = {
  readonly file: FileDiff;
  /** Content below a line of the new file. */
  readonly under?: (line: number) => ReactNode;
  readonly onLine?: (line: number) => void;
  readonly title?: ReactNode;
};

export function FileDiffView({ file, under, onLine, title }: Props) {
  return (
    <article className="file-diff" aria-label={file.path}>
      {title ?? (
        <h3>
          <code>{file.oldPath && file.oldPath !== file.path ? `${file.oldPath} → ${file.path}` : file.path}</code>{" "}
          <Counts file={file} />
        </h3>
      )}
      {file.binary ? <p className="pad quiet-text">Binary file, not displayed.</p> : null}
      {file.tooLarge ? <p className="pad quiet-text">Larger than 2 MB, not displayed.</p> : null}
      {(file.hunks ?? []).map((hunk) => (
        <HunkView key={hunk.header} hunk={hunk} under={under} onLine={onLine} />
      ))}
    </article>
  );
}

export function Counts({ file }: { readonly file: Pick<FileDiff, "added" | "removed"> }) {
  return (
    <span className="quiet-text">
      {file.added > 0 || file.removed === 0 ? `+${file.added}` : ""} {file.removed > 0 ? `−${file.removed}` : ""}
    </span>
  );
}

type HunkProps = { readonly hunk: Hunk; readonly under: Props["under"]; readonly onLine: Props["onLine"] };

function HunkView({ hunk, under, onLine }: HunkProps) {
  return (
    <div className="hunk scroll-x">
      <div className="hunk-lines">
        <p className="hunk-header">{hunk.header}</p>
        {splitIntoBlocks(numberLines(hunk)).map((lines) => (
          <div
            key={`${lines[0]?.oldLine} ${lines[0]?.newLine}`}
            className="diff-block"
            style={{ containIntrinsicHeight: `auto ${lines.length * LINE_HEIGHT}px` }}
          >
            {lines.map((line) => (
              <Fragment key={`${line.oldLine} ${line.newLine}`}>
                <DiffLine line={line} onLine={onLine} />
                {line.newLine === null ? null : under?.(line.newLine)}
              </Fragment>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Same height as in `.diff-line`. */
const LINE_HEIGHT = 19;
const BLOCK_SIZE = 100;

/** Splits lines into blocks whose layout is skipped out of view. They can still be searched and printed. */
function splitIntoBlocks<T>(lines: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(lines.length / BLOCK_SIZE) }, (_, at) =>
    lines.slice(at * BLOCK_SIZE, (at + 1) * BLOCK_SIZE),
  );
}

const CLASS_NAMES = { "+": "added", "-": "removed", " ": "same" } as const;
const LABELS = { "+": "added", "-": "removed", " ": "" } as const;

function DiffLine({ line, onLine }: { readonly line: NumberedLine; readonly onLine: Props["onLine"] }) {
  const { kind, oldLine, newLine, text } = line;
  return (
    <div className={`diff-line ${CLASS_NAMES[kind]}`}>
      <span className="line-number">{oldLine ?? ""}</span>
      {onLine && newLine !== null ? (
        <button
          type="button"
          className="line-number"
          data-row
          aria-label={`Comment on line ${newLine}`}
          onClick={() => onLine(newLine)}
        >
          {newLine}
        </button>
      ) : (
        <span className="line-number">{newLine ?? ""}</span>
      )}
      <span className="line-sign">
        {kind}
        <span className="visually-hidden">{LABELS[kind]}</span>
      </span>
      <code>{text}</code>
    </div>
  );
}
