import type { ReactNode } from "react";
import type { AttemptLine, DispatchRow, RunPage } from "../../../../src/views/page/page.ts";
import { setParams, useParam } from "../../../app/router.tsx";
import { formatCount, formatElapsed } from "../../../parts/format.ts";
import { StateWord } from "../../../parts/glyph.tsx";
import { Cost } from "../../../parts/money.tsx";
import { Since } from "../../../parts/since.tsx";
import { StepKey } from "../../../parts/step-key.tsx";
import { groupRows } from "../rows.ts";
import { selectRow } from "../selected-row.ts";
import { AttemptList } from "./attempt-list.tsx";
import { ClaimEvidence } from "./claim-evidence.tsx";
import { ContractPanel } from "./contract.tsx";
import { DiffPanel } from "./diff-panel.tsx";
import { PromptPanel, TranscriptPanel } from "./transcript.tsx";

const TABS = ["evidence", "transcript", "prompt", "contract", "diff", "raw"] as const;
type Tab = (typeof TABS)[number];
const LABELS: Readonly<Record<Tab, string>> = {
  evidence: "Claim and evidence",
  transcript: "Transcript",
  prompt: "Prompt",
  contract: "Contract",
  diff: "Diff",
  raw: "Raw",
};

export function DispatchPanel({ page, row }: { readonly page: RunPage; readonly row: DispatchRow }) {
  const [asked] = useParam("tab");
  const tab = TABS.find((each) => each === asked) ?? "evidence";
  return (
    <>
      <DispatchHead row={row} />
      <div className="tabs" role="tablist" aria-label="Details">
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === tab}
            onClick={() => setParams({ row: row.id, tab: each === "evidence" ? null : each })}
          >
            {LABELS[each]}
            {each === "diff" && row.changed.length > 0 ? (
              <span className="quiet-text"> {row.changed.length}</span>
            ) : null}
          </button>
        ))}
        <Rounds page={page} row={row} />
      </div>
      <div role="tabpanel" aria-label={LABELS[tab]}>
        {renderPanel(tab, page, row)}
      </div>
    </>
  );
}

function renderPanel(tab: Tab, page: RunPage, row: DispatchRow): ReactNode {
  const { run } = page.head;
  if (tab === "evidence") return <ClaimEvidence page={page} row={row} />;
  if (tab === "transcript") return <TranscriptPanel run={run} row={row} />;
  if (tab === "prompt") return <PromptPanel run={run} row={row} />;
  if (tab === "contract") return <ContractPanel run={run} row={row} />;
  if (tab === "diff") return <DiffPanel page={page} row={row} />;
  return <pre className="pad">{JSON.stringify(row, null, 2)}</pre>;
}

function DispatchHead({ row }: { readonly row: DispatchRow }) {
  const last = row.attempts.at(-1);
  return (
    <header className="dock-head">
      <h2>
        <StepKey text={row.key} />
      </h2>
      <p className="quiet-text">
        <StateWord state={row.state} /> · attempt {last?.attempt ?? 0} of {row.attempts.length} ·{" "}
        {row.state === "running" ? (
          <>
            since <Since at={row.startedAt} />
          </>
        ) : (
          <>
            {last?.by ?? "agent not reported"} · {formatElapsed(row.ms)} · <Cost money={row.cost} /> ·{" "}
            {formatTokens(last)}
          </>
        )}
      </p>
      {row.attempts.length > 1 ? <AttemptList attempts={row.attempts} /> : null}
    </header>
  );
}

function formatTokens(last: AttemptLine | undefined): string {
  if (!last || last.inputTokens === null) return "tokens not reported";
  return `${formatCount(last.inputTokens)} in, ${formatCount(last.outputTokens ?? 0)} out`;
}

function Rounds({ page, row }: { readonly page: RunPage; readonly row: DispatchRow }) {
  const same = groupRows(page.rows).dispatches.filter(({ who, phase }) => who === row.who && phase === row.phase);
  if (same.length < 2) return null;
  return (
    <span className="rounds">
      round{" "}
      {same.map((each) => (
        <button
          key={each.id}
          type="button"
          className="link"
          aria-pressed={each.id === row.id}
          onClick={() => selectRow(each.id)}
        >
          {each.round}
        </button>
      ))}
    </span>
  );
}
