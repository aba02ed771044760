import { useEffect, useRef, useState } from "react";
import type { EventList, PublicEvent } from "../../../src/surfaces/server/port/documents.ts";
import type { RunPage } from "../../../src/views/page/page.ts";
import { useParam } from "../../app/router.tsx";
import { buildQuery, fetchJson } from "../../data/api.ts";
import { formatInteger, formatQuantity, formatTimeOfDay } from "../../parts/format.ts";
import { LoadingText } from "../../parts/loading.tsx";
import { VirtualRows } from "../../parts/virtual.tsx";

const PAGE = 1000;

/** All public journal records, with the selected one in full. */
export function Events({ page, given }: { readonly page: RunPage; readonly given?: readonly PublicEvent[] }) {
  const { records, error } = useEvents(page, given);
  const [find, setFind] = useParam("find");
  const [chosen, setChosen] = useState<number | null>(null);
  const text = (find ?? "").toLowerCase();
  const shown = records.filter((each) => text === "" || toSearchText(each).toLowerCase().includes(text));
  const open = shown.find(({ seq }) => seq === chosen);
  return (
    <div className="events-view">
      <section className="card step-table">
        <div className="pad">
          <input
            data-filter
            aria-label="Filter events"
            placeholder="filter"
            value={find ?? ""}
            onChange={(event) => setFind(event.target.value || null)}
          />{" "}
          <span className="quiet-text">
            {formatInteger(shown.length)} of {formatQuantity(page.seq, "record")}
          </span>
        </div>
        {error ? <LoadingText error={error} what="records" /> : null}
        <VirtualRows
          items={shown}
          rowHeight={24}
          label="Events"
          render={(each) => (
            <button
              type="button"
              key={each.seq}
              className="event-row"
              aria-pressed={each.seq === chosen}
              onClick={() => setChosen(each.seq)}
            >
              <span className="num quiet-text">{formatInteger(each.seq)}</span>
              <span>{formatTimeOfDay(each.ts)}</span>
              <code>{each.type}</code>
              <span className="step-cell">{summarize(each)}</span>
            </button>
          )}
        />
      </section>
      {open ? (
        <section className="card pad" aria-label={`Record ${open.seq}`}>
          <h2>Record {formatInteger(open.seq)}</h2>
          <pre>{JSON.stringify(open, null, 2)}</pre>
        </section>
      ) : null}
    </div>
  );
}

function useEvents(page: RunPage, given: readonly PublicEvent[] | undefined) {
  const [records, setRecords] = useState<readonly PublicEvent[]>(given ?? []);
  const [error, setError] = useState<Error>();
  const last = useRef(0);
  const { run } = page.head;
  useEffect(() => {
    if (given) return;
    const stop = new AbortController();
    const load = async (): Promise<void> => {
      for (;;) {
        const path = `/runs/${encodeURIComponent(run)}/events${buildQuery({ after: last.current, most: PAGE })}`;
        const next = await fetchJson<EventList>(path, stop.signal);
        const fresh = next.records.filter(({ seq }) => seq > last.current);
        const newest = fresh.at(-1);
        if (!newest) return;
        last.current = newest.seq;
        setRecords((before) => [...before, ...fresh]);
        if (newest.seq >= page.seq) return;
      }
    };
    load().catch((failed) => stop.signal.aborted || setError(failed));
    return () => stop.abort();
  }, [run, page.seq, given]);
  return { records, error };
}

const toSearchText = (event: PublicEvent): string => JSON.stringify(event);
const OMITTED = new Set(["v", "seq", "ts", "type", "run", "chain"]);

function summarize(event: PublicEvent): string {
  const fields = Object.entries(event).filter(([name, value]) => !OMITTED.has(name) && typeof value !== "object");
  return fields
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(" · ")
    .slice(0, 400);
}
