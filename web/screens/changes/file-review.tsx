import { useState } from "react";
import type { FileDiff } from "../../../src/surfaces/server/port/diff.ts";
import { Button } from "../../parts/button.tsx";
import { Counts, FileDiffView } from "../../parts/diff.tsx";
import { numberLines } from "../../parts/diff-lines.ts";
import { Glyph } from "../../parts/glyph.tsx";
import { CommentForm } from "./comment-form.tsx";
import type { Comment } from "./comments.ts";
import type { LocatedFinding } from "./located-findings.ts";

type Props = {
  readonly file: FileDiff;
  readonly by: string;
  readonly findings: readonly LocatedFinding[];
  readonly comments: readonly Comment[];
  readonly onComment: (comment: Comment) => void;
  readonly onDrop: (comment: Comment) => void;
};

/**
 * A file with findings below their lines, findings without a line below the file name, and the person's comments next
 * to both.
 */
export function FileReview({ file, by, findings, comments, onComment, onDrop }: Props) {
  const [line, setLine] = useState<number | null>(null);
  const lines = new Set((file.hunks ?? []).flatMap((hunk) => numberLines(hunk).map(({ newLine }) => newLine)));
  const atLine = (number: number) => findings.filter((each) => each.line === number);
  const loose = findings.filter((each) => each.line === null || !lines.has(each.line));
  const under = (number: number) => (
    <>
      {atLine(number).map((each) => (
        <FindingCard key={each.finding.message} placed={each} />
      ))}
      {comments
        .filter((each) => each.line === number)
        .map((each) => (
          <CommentCard key={each.text} comment={each} onDrop={() => onDrop(each)} />
        ))}
      {line === number ? (
        <CommentForm
          path={file.path}
          line={number}
          onCancel={() => setLine(null)}
          onComment={(comment) => {
            onComment(comment);
            setLine(null);
          }}
        />
      ) : null}
    </>
  );
  const title = (
    <header id={file.path} className="file-title">
      <h2>
        <code>{file.path}</code> <span className="quiet-text">{by}</span>
      </h2>
      <span className="quiet-text">
        {findings.length > 0 ? <span className="warn">{findings.length} findings · </span> : "no findings · "}
        <Counts file={file} />
      </span>
    </header>
  );
  return (
    <section className="card">
      <FileDiffView file={file} title={title} under={under} onLine={setLine} />
      {loose.map((each) => (
        <FindingCard key={`${each.where} ${each.finding.message}`} placed={each} />
      ))}
    </section>
  );
}

function FindingCard({ placed: { finding, where, after } }: { readonly placed: LocatedFinding }) {
  const hard = finding.severity === "blocker" || finding.severity === "critical";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: `n` and `p` move between findings.
    <div className={`finding ${hard ? "hard" : ""}`} data-finding tabIndex={0}>
      <p>
        <Glyph state={hard ? "failed" : "revision"} /> <strong>{finding.severity}</strong> · {finding.message}
      </p>
      <p className="quiet-text">
        {finding.by ? `${finding.by}, ` : ""}
        {where}
        {after === "" ? "" : ` → ${after}`}
      </p>
    </div>
  );
}

function CommentCard({ comment, onDrop }: { readonly comment: Comment; readonly onDrop: () => void }) {
  return (
    <div className="finding own">
      <p>
        <strong>You, on line {comment.line}</strong> · {comment.severity} · {comment.text}
      </p>
      <Button onPress={onDrop}>Delete</Button>
    </div>
  );
}
