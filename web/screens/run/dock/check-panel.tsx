import type { CheckRow, RunPage } from "../../../../src/views/page/page.ts";
import { hasServer } from "../../../app/router.tsx";
import { buildQuery } from "../../../data/api.ts";
import { useFetched } from "../../../data/hooks.ts";
import { formatElapsed, formatInteger, shortenTree } from "../../../parts/format.ts";
import { StateWord } from "../../../parts/glyph.tsx";
import { StepKey } from "../../../parts/step-key.tsx";

type Output = { readonly text: string; readonly truncated: boolean };

export function CheckPanel({ page, row }: { readonly page: RunPage; readonly row: CheckRow }) {
  const path = `/runs/${encodeURIComponent(page.head.run)}/output${buildQuery({ seq: row.seq })}`;
  const output = useFetched<Output>(hasServer() ? path : null);
  return (
    <>
      <header className="dock-head">
        <h2>
          <StepKey text={row.key} />
        </h2>
        <p className="quiet-text">
          <StateWord state={row.state} word={row.because || undefined} /> · exit {row.exitCode ?? "?"} ·{" "}
          {formatElapsed(row.ms)} · tree {shortenTree(row.tree)} · {row.when} · record {formatInteger(row.seq)}
        </p>
        <p>
          <code>{row.command}</code>
        </p>
      </header>
      <div className="pad">
        {row.failing.length > 0 ? (
          <>
            <h3>Failing</h3>
            <ul className="plain-list bad">
              {row.failing.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </>
        ) : null}
        <h3>Output</h3>
        <pre>{output.value?.text ?? row.excerpt ?? ""}</pre>
        {output.value?.truncated ? <p className="note">Truncated: the output is too long for this page.</p> : null}
      </div>
    </>
  );
}
