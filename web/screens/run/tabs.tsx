import { type ReactNode, useMemo } from "react";
import type { RunPage } from "../../../src/views/page/page.ts";
import { hasServer, Link, toRunPath, usePageLocation } from "../../app/router.tsx";
import { formatInteger, formatQuantity } from "../../parts/format.ts";
import { groupRows } from "./rows.ts";

export const VIEWS = ["graph", "timeline", "table", "events"] as const;
export type ViewName = (typeof VIEWS)[number];

const LABELS: Readonly<Record<ViewName, string>> = {
  graph: "Graph",
  timeline: "Timeline",
  table: "Table",
  events: "Events",
};

/** Tabs for the four views of a run and its other screens. */
export function RunTabs({
  page,
  view,
  children,
}: {
  readonly page: RunPage;
  readonly view: ViewName | null;
  /** Content next to the tabs, displayed if there is space. */
  readonly children?: ReactNode;
}) {
  const { path } = usePageLocation();
  const { run } = page.head;
  const { dispatches } = groupRows(page.rows);
  const files = useMemo(() => new Set(dispatches.flatMap(({ changed }) => changed)).size, [dispatches]);
  const screens = [
    {
      label: "Gates",
      count: formatInteger(page.head.counts.gatesPassed + page.head.counts.gatesMissed),
      href: toRunPath(run, "/gates"),
    },
    // A report lists the changes below.
    ...(hasServer()
      ? [{ label: "Changes", count: formatQuantity(files, "file"), href: toRunPath(run, "/changes") }]
      : []),
    { label: "Cost", count: "", href: toRunPath(run, "/cost") },
  ];
  return (
    <nav className="tabs" aria-label="Views of the run">
      {VIEWS.map((each) => (
        <Link key={each} href={toRunPath(run, `?view=${each}`)} aria-current={view === each ? "page" : undefined}>
          {LABELS[each]} {each === "events" ? <span className="quiet-text">{formatInteger(page.seq)}</span> : null}
        </Link>
      ))}
      {screens.map(({ label, count, href }) => (
        <Link key={href} href={href} aria-current={path.startsWith(href) ? "page" : undefined}>
          {label} <span className="quiet-text">{count}</span>
        </Link>
      ))}
      {children ? <div className="tabs-note">{children}</div> : null}
    </nav>
  );
}
