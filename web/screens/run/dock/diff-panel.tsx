import type { Diff } from "../../../../src/surfaces/server/port/diff.ts";
import type { DispatchRow, RunPage } from "../../../../src/views/page/page.ts";
import { hasServer, Link, runPath } from "../../../app/router.tsx";
import { query } from "../../../data/api.ts";
import { useGet } from "../../../data/hooks.ts";
import { FileDiffView } from "../../../parts/diff.tsx";
import { Quiet } from "../../../parts/loading.tsx";
import { treeOf } from "./evidence-of.ts";

export function DiffPanel({ page, row }: { readonly page: RunPage; readonly row: DispatchRow }) {
  const tree = treeOf(row);
  const { run, base } = page.head;
  const path = `/runs/${encodeURIComponent(run)}/diff${query({ from: base.tree, to: tree ?? undefined })}`;
  const { value, error } = useGet<Diff>(hasServer() && tree !== null ? path : null);
  if (tree === null) return <p className="pad quiet-text">No tree was left.</p>;
  if (!hasServer()) return <p className="pad">{row.changed.join(", ") || "No changes."}</p>;
  if (!value) return <Quiet error={error} what="the diff" />;
  const own = value.files.filter(({ path: file }) => row.changed.length === 0 || row.changed.includes(file));
  return (
    <div className="pad">
      <p className="quiet-text">
        Changes from the base to this work. <Link href={runPath(run, "/changes")}>All changes</Link>
      </p>
      {own.map((file) => (
        <FileDiffView key={file.path} file={file} />
      ))}
      {own.length === 0 ? <p>No changes.</p> : null}
    </div>
  );
}
