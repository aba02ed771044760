import { useState } from "react";
import type { Diff } from "../../../src/surfaces/server/port/diff.ts";
import type { RunPage } from "../../../src/views/page/page.ts";
import { KeyBar } from "../../app/help.tsx";
import { moveFocus, useKeys } from "../../app/keyboard.ts";
import { navigate, toRunPath, useParam } from "../../app/router.tsx";
import { buildQuery } from "../../data/api.ts";
import { useFetched, useRun } from "../../data/hooks.ts";
import { formatQuantity } from "../../parts/format.ts";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { Crumb } from "../run/head.tsx";
import { RunTabs } from "../run/tabs.tsx";
import type { Comment } from "./comments.ts";
import { FileList } from "./file-list.tsx";
import { FileReview } from "./file-review.tsx";
import { groupFilesByTask, listTrees, type TaskFiles } from "./files-by-task.ts";
import { type LocatedFinding, locateFindings } from "./located-findings.ts";
import { SendComments } from "./send-comments.tsx";

const KEYS = [
  ["n p", "finding"],
  ["j k", "line"],
  ["c", "comment on the line"],
  ["esc", "back to the run"],
] as const;

export function ChangesScreen({ run }: { readonly run: string }) {
  const { value: page, error } = useRun(run);
  if (!page) return error ? <Failure error={error} /> : <Skeleton what={`the changes of ${run}`} />;
  return <Changes page={page} />;
}

function Changes({ page }: { readonly page: RunPage }) {
  const { run, base } = page.head;
  const [of, setOf] = useParam("of");
  const all = listTrees(page);
  const chosen = all.find(({ row }) => row.id === of);
  const range = chosen ? buildQuery({ from: base.tree, to: chosen.tree }) : "";
  const { value: diff, error } = useFetched<Diff>(`/runs/${encodeURIComponent(run)}/diff${range}`);
  const [comments, setComments] = useState<readonly Comment[]>([]);
  useKeys({
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    n: () => moveFocus(1, "[data-finding]"),
    p: () => moveFocus(-1, "[data-finding]"),
    c: () => (document.activeElement instanceof HTMLElement ? document.activeElement.click() : undefined),
    Escape: () => navigate(toRunPath(run)),
  });
  const findings = locateFindings(page);
  const groups = diff ? groupFilesByTask(page, diff.files) : [];
  return (
    <>
      <header className="run-head">
        <div>
          <Crumb page={page} last="Changes" />
          <h1 className="first-line">{diff ? formatHeadline(groups, chosen?.row.who) : "Changes"}</h1>
        </div>
        <select aria-label="Filter by agent" value={of ?? ""} onChange={(event) => setOf(event.target.value || null)}>
          <option value="">All changes</option>
          {all.map(({ row }) => (
            <option key={row.id} value={row.id}>
              {row.who}, round {row.round}
            </option>
          ))}
        </select>
      </header>
      <RunTabs page={page} view={null} />
      {error ? <Failure error={error} /> : null}
      {diff ? (
        <div className="page side-and-main">
          <FileList groups={groups} findings={findings} />
          <div className="file-reviews">
            <SendComments page={page} comments={comments} onSent={() => setComments([])} />
            {groups.map((group) => (
              <TaskReview
                key={group.task}
                group={group}
                findings={findings}
                comments={comments}
                onComments={setComments}
              />
            ))}
            {diff.files.length === 0 ? <p className="card pad">No changes.</p> : null}
          </div>
        </div>
      ) : error ? null : (
        <Skeleton what="the diff" />
      )}
      <KeyBar keys={KEYS} right={formatQuantity(comments.length, "unsent comment", "unsent comments")} />
    </>
  );
}

type TaskProps = {
  readonly group: TaskFiles;
  readonly findings: ReadonlyMap<string, readonly LocatedFinding[]>;
  readonly comments: readonly Comment[];
  readonly onComments: (comments: readonly Comment[]) => void;
};

/** The files of one task. Files that the pipeline wrote itself are collapsed. */
function TaskReview({ group: { task, files, by }, findings, comments, onComments }: TaskProps) {
  const reviews = files.map((file) => (
    <FileReview
      key={file.path}
      file={file}
      by={by === null ? "the pipeline" : `${task}, by ${by.who}`}
      findings={findings.get(file.path) ?? []}
      comments={comments.filter(({ path }) => path === file.path)}
      onComment={(comment) => onComments([...comments, comment])}
      onDrop={(comment) => onComments(comments.filter((each) => each !== comment))}
    />
  ));
  if (task !== "") return reviews;
  return (
    <details className="card">
      <summary>{formatQuantity(files.length, "document")} not attributed to a task</summary>
      <div className="file-reviews pad">{reviews}</div>
    </details>
  );
}

function formatHeadline(groups: readonly TaskFiles[], who: string | undefined): string {
  const own = groups.filter(({ task }) => task !== "");
  const files = own.flatMap((group) => group.files);
  const documents = groups.filter(({ task }) => task === "").flatMap((group) => group.files).length;
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const rest = documents > 0 ? ` · ${formatQuantity(documents, "document")} of the run` : "";
  return `${formatQuantity(files.length, "file")}, +${added} −${removed}, by ${formatQuantity(own.length, "task")}${who ? `, from ${who}` : ""}${rest}`;
}
