import type { PublicEvent } from "../../../src/surfaces/server/port/documents.ts";
import type { RunPage } from "../../../src/views/page/page.ts";
import { KeyBar } from "../../app/help.tsx";
import { useKeys } from "../../app/keyboard.ts";
import { usePhone } from "../../app/phone.ts";
import { hasServer, navigate, setParams, useParam } from "../../app/router.tsx";
import { useRun } from "../../data/hooks.ts";
import { formatInteger, formatTimeOfDay } from "../../parts/format.ts";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { Actions } from "./actions.tsx";
import { Dock } from "./dock/dock.tsx";
import { Events } from "./events.tsx";
import { Facts } from "./facts.tsx";
import { Graph } from "./graph/graph.tsx";
import { RunHead } from "./head.tsx";
import { Legend } from "./legend.tsx";
import { findOtherRound, groupRows, isFailure, isHuge, listSelectable, type SelectableRow } from "./rows.ts";
import { RunningWork } from "./running-work.tsx";
import { selectRow, useSelectedRow } from "./selected-row.ts";
import { StepTable } from "./table/table.tsx";
import { RunTabs, VIEWS, type ViewName } from "./tabs.tsx";
import { Timeline } from "./timeline.tsx";

const KEYS = [
  ["j k", "step"],
  ["f", "next failure"],
  ["[ ]", "round"],
  ["1 – 4", "view"],
  ["e", "evidence"],
  ["t", "transcript"],
  ["d", "diff"],
  ["a", "question"],
  ["y", "copy link"],
] as const;

export function RunScreen({ run }: { readonly run: string }) {
  const { value: page, error } = useRun(run);
  if (!page) return error ? <Failure error={error} /> : <Skeleton what={`the records of ${run}`} />;
  return <RunView page={page} />;
}

/** The page of a run, with data from the server or a report. */
export function RunView({ page, events }: { readonly page: RunPage; readonly events?: readonly PublicEvent[] }) {
  const huge = isHuge(page.rows);
  const [asked] = useParam("view");
  const view: ViewName = VIEWS.find((each) => each === asked) ?? (huge ? "table" : "graph");
  const [chosen] = useSelectedRow(page);
  useRunKeys(page, chosen);
  // On a phone an open question is displayed first.
  const askedFirst = usePhone() && isOpen(chosen) && page.head.state === "waiting";
  return (
    <>
      <RunHead page={page} actions={!askedFirst} />
      {askedFirst ? (
        <div className="asked-above">
          <Dock page={page} row={chosen} />
          {hasServer() ? <Actions page={page} /> : null}
        </div>
      ) : null}
      <Facts head={page.head} />
      <RunTabs page={page} view={view}>
        {huge ? "more than 200 steps, shown as a table" : view === "graph" ? <Legend rows={page.rows} /> : null}
      </RunTabs>
      <div className="page run-page">
        <RunContent page={page} view={view} chosen={chosen} events={events} docked={!askedFirst} />
        <KeyBar keys={KEYS} right={`record ${formatInteger(page.seq)} · ${formatTimeOfDay(page.head.lastAt)}`} />
      </div>
    </>
  );
}

type RunContentProps = {
  readonly page: RunPage;
  readonly view: ViewName;
  readonly chosen: SelectableRow | undefined;
  readonly events: readonly PublicEvent[] | undefined;
  readonly docked: boolean;
};

const isOpen = (row: SelectableRow | undefined): boolean => row?.kind === "question" && row.answer === null;

function RunContent({ page, view, chosen, events, docked }: RunContentProps) {
  const dock = docked ? <Dock page={page} row={chosen} /> : null;
  if (view === "events") return <Events page={page} {...(events ? { given: events } : {})} />;
  if (view === "table")
    return (
      <>
        <StepTable page={page} chosen={chosen?.id} />
        {dock}
      </>
    );
  if (view === "timeline")
    return (
      <>
        <Timeline page={page} open />
        {dock}
      </>
    );
  // An open question is displayed directly below the graph.
  const asks = isOpen(chosen);
  return (
    <>
      <Graph page={page} chosen={chosen?.id} />
      <div className={asks ? "run-columns asked-first" : "run-columns"}>
        <div className="run-side">
          <RunningWork page={page} />
          <Timeline page={page} open={false} />
        </div>
        {dock}
      </div>
    </>
  );
}

function useRunKeys(page: RunPage, chosen: SelectableRow | undefined): void {
  const choose = (row: SelectableRow | undefined): void => {
    if (row) selectRow(row.id);
  };
  /** Rows are computed when a key is pressed, not on every update of the run. */
  const moveSelection = (to: (rows: readonly SelectableRow[], at: number) => SelectableRow | undefined) => (): void => {
    const rows = listSelectable(page.rows).filter(({ kind }) => kind !== "check" && kind !== "step");
    const at = rows.findIndex(({ id }) => id === chosen?.id);
    choose(to(rows, at));
  };
  const open = groupRows(page.rows).questions.find(({ answer }) => answer === null);
  useKeys({
    j: moveSelection((rows, at) => rows[Math.min(at + 1, rows.length - 1)]),
    k: moveSelection((rows, at) => rows[Math.max(at - 1, 0)]),
    f: moveSelection((rows, at) => rows.slice(at + 1).find(isFailure) ?? rows.find(isFailure)),
    "[": () => choose(chosen && findOtherRound(page.rows, chosen, -1)),
    "]": () => choose(chosen && findOtherRound(page.rows, chosen, 1)),
    ...Object.fromEntries(VIEWS.map((view, index) => [String(index + 1), () => setParams({ view })])),
    e: () => setParams({ tab: null }),
    t: () => setParams({ tab: "transcript" }),
    d: () => setParams({ tab: "diff" }),
    Enter: () => document.querySelector<HTMLElement>(".dock")?.focus(),
    y: () => {
      setParams({ row: chosen?.id ?? null });
      void navigator.clipboard.writeText(location.href);
    },
    a: open ? () => navigate(`/q/${encodeURIComponent(open.approval)}`) : undefined,
    Escape: () => setParams({ row: null, tab: null }),
  });
}
