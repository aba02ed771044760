import { Counts } from "../../parts/diff.tsx";
import { formatQuantity } from "../../parts/format.ts";
import { Glyph } from "../../parts/glyph.tsx";
import type { TaskFiles } from "./files-by-task.ts";
import type { LocatedFinding } from "./located-findings.ts";

type Props = {
  readonly groups: readonly TaskFiles[];
  readonly findings: ReadonlyMap<string, readonly LocatedFinding[]>;
};

export function FileList({ groups, findings }: Props) {
  return (
    <nav className="card side-list files" aria-label="Files by task">
      {groups.map(({ task, files, by }) => (
        <details key={task} open={task !== "" || files.length <= 12}>
          <summary>
            <strong>{task === "" ? "no single task" : task}</strong>{" "}
            <span className="quiet-text">{by ? by.role : formatQuantity(files.length, "file")}</span>
          </summary>
          {files.map((file) => (
            <button key={file.path} type="button" onClick={() => document.getElementById(file.path)?.scrollIntoView()}>
              <code>{file.path}</code>
              {findings.has(file.path) ? <Glyph state="revision" label="findings" /> : <span />}
              <Counts file={file} />
            </button>
          ))}
        </details>
      ))}
    </nav>
  );
}
