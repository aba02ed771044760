import type { GateRow, RunPage } from "../../../src/views/page/page.ts";
import type { StateName } from "../../../src/views/states.ts";
import { groupRows, isFailure } from "./rows.ts";
import type { Span } from "./timeline-scale.ts";

export type Bar = Span & { readonly id: string; readonly state: StateName; readonly label: string };

export type TimelineLine = {
  readonly label: string;
  readonly phases: ReadonlySet<string>;
  readonly bars: readonly Bar[];
  readonly ms: number;
  readonly cost: { readonly counted: number; readonly known: number; readonly unknown: number; readonly open: number };
  readonly failed: boolean;
};

/** Builds one line per agent name, with all its dispatches. */
export function buildTimelineLines({ rows }: Pick<RunPage, "rows">, now: number): readonly TimelineLine[] {
  // Never negative: the page clock advances once per second, so an agent may have started after it.
  const since = (startedAt: number): number => Math.max(0, now - startedAt);
  const groups = Map.groupBy(groupRows(rows).dispatches, ({ who }) => who);
  return [...groups].map(([label, all]) => ({
    label,
    phases: new Set(all.map(({ phase }) => phase)),
    bars: all.flatMap(({ id, attempts }) =>
      attempts.map(({ startedAt, ms, state, attempt }, index) => ({
        id,
        state,
        from: startedAt,
        // An interrupted attempt has no recorded end.
        to:
          ms === null
            ? state === "running"
              ? startedAt + since(startedAt)
              : (attempts[index + 1]?.startedAt ?? startedAt)
            : startedAt + ms,
        label: `${label}, attempt ${attempt}: ${state}`,
      })),
    ),
    ms: all.reduce((sumCosts, { ms, state, startedAt }) => sumCosts + (state === "running" ? since(startedAt) : ms), 0),
    cost: sumCosts(all.map(({ cost }) => cost)),
    failed: all.some((row) => isFailure(row) || row.contradictedBy.length > 0),
  }));
}

type Cost = TimelineLine["cost"];

const sumCosts = (all: readonly Cost[]): Cost =>
  all.reduce(
    (total, each) => ({
      counted: total.counted + each.counted,
      known: total.known + each.known,
      unknown: total.unknown + each.unknown,
      open: total.open + each.open,
    }),
    { counted: 0, known: 0, unknown: 0, open: 0 },
  );

/** Collapses the lines of phases without failures into one line each. */
export function collapseQuietLines(all: readonly TimelineLine[], gates: readonly GateRow[]): readonly TimelineLine[] {
  const loud = new Set(gates.filter(isFailure).map(({ phase }) => phase));
  for (const { failed, bars, phases } of all)
    if (failed || bars.some(({ state }) => state === "running")) for (const phase of phases) loud.add(phase);
  const groups = Map.groupBy(all, ({ phases }) => [...phases].join(", "));
  return [...groups].flatMap(([name, lines]) => {
    const quiet = lines.length > 1 && lines.every(({ phases }) => [...phases].every((phase) => !loud.has(phase)));
    return quiet ? [mergeLines(name, lines)] : lines;
  });
}

function mergeLines(name: string, lines: readonly TimelineLine[]): TimelineLine {
  return {
    label: `${name} ×${lines.length}`,
    phases: new Set(lines.flatMap(({ phases }) => [...phases])),
    bars: lines.flatMap(({ bars }) => bars),
    ms: lines.reduce((total, { ms }) => total + ms, 0),
    cost: sumCosts(lines.map(({ cost }) => cost)),
    failed: false,
  };
}
