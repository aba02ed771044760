import { Fragment, type ReactNode } from "react";
import type { FileDiff, Hunk } from "../../src/surfaces/server/port/diff.ts";
import { type NumberedLine, numbered } from "./diff-lines.ts";

type Props = {
  readonly file: FileDiff;
  /** What stands under a line of the new file. */
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
      {file.binary ? <p className="pad quiet-text">Not text: it is not shown.</p> : null}
      {file.tooLarge ? <p className="pad quiet-text">Larger than 2 MB: it stays closed here.</p> : null}
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
        {blocksOf(numbered(hunk)).map((lines) => (
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

/** As `.diff-line` has it. */
const LINE_HEIGHT = 19;
const BLOCK = 100;

/** What is out of sight is not laid out; it can be found and printed all the same. */
function blocksOf<T>(lines: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(lines.length / BLOCK) }, (_, at) => lines.slice(at * BLOCK, (at + 1) * BLOCK));
}

const LOOKS = { "+": "added", "-": "removed", " ": "same" } as const;
const SAYS = { "+": "added", "-": "removed", " ": "" } as const;

function DiffLine({ line, onLine }: { readonly line: NumberedLine; readonly onLine: Props["onLine"] }) {
  const { kind, oldLine, newLine, text } = line;
  return (
    <div className={`diff-line ${LOOKS[kind]}`}>
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
        <span className="visually-hidden">{SAYS[kind]}</span>
      </span>
      <code>{text}</code>
    </div>
  );
}
