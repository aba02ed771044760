import type { Diff } from "../../../../src/surfaces/server/port/diff.ts";
import type { DispatchRow, RunPage } from "../../../../src/views/page/page.ts";
import { hasServer, Link, toRunPath } from "../../../app/router.tsx";
import { buildQuery } from "../../../data/api.ts";
import { useFetched } from "../../../data/hooks.ts";
import { FileDiffView } from "../../../parts/diff.tsx";
import { LoadingText } from "../../../parts/loading.tsx";
import { getLeftTree } from "./dispatch-evidence.ts";

export function DiffPanel({ page, row }: { readonly page: RunPage; readonly row: DispatchRow }) {
  const tree = getLeftTree(row);
  const { run, base } = page.head;
  const path = `/runs/${encodeURIComponent(run)}/diff${buildQuery({ from: base.tree, to: tree ?? undefined })}`;
  const { value, error } = useFetched<Diff>(hasServer() && tree !== null ? path : null);
  if (tree === null) return <p className="pad quiet-text">No tree was left.</p>;
  if (!hasServer()) return <p className="pad">{row.changed.join(", ") || "No changes."}</p>;
  if (!value) return <LoadingText error={error} what="the diff" />;
  const own = value.files.filter(({ path: file }) => row.changed.length === 0 || row.changed.includes(file));
  return (
    <div className="pad">
      <p className="quiet-text">
        Changes from the base to this work. <Link href={toRunPath(run, "/changes")}>All changes</Link>
      </p>
      {own.map((file) => (
        <FileDiffView key={file.path} file={file} />
      ))}
      {own.length === 0 ? <p>No changes.</p> : null}
    </div>
  );
}
