import type { RunPage } from "../../../src/views/page/page.ts";
import { KeyBar } from "../../app/help.tsx";
import { moveFocus, useKeys } from "../../app/keyboard.ts";
import { navigate } from "../../app/router.tsx";
import { useRun } from "../../data/hooks.ts";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { comparePhases, describeDifference } from "./compare-lines.ts";
import { CompareTable } from "./compare-table.tsx";
import { PickTwo } from "./pick-two.tsx";
import { RunCard } from "./run-card.tsx";
import { SameAndDifferent } from "./same-and-different.tsx";

const KEYS = [
  ["x", "swap A and B"],
  ["n p", "difference"],
] as const;

export function CompareScreen({ a, b }: { readonly a: string | undefined; readonly b: string | undefined }) {
  return a === undefined || b === undefined ? <PickTwo /> : <Both a={a} b={b} />;
}

function Both({ a, b }: { readonly a: string; readonly b: string }) {
  const one = useRun(a);
  const other = useRun(b);
  useKeys({
    x: () => navigate(`/compare/${encodeURIComponent(b)}/${encodeURIComponent(a)}`),
    n: () => moveFocus(1, "[data-difference]"),
    p: () => moveFocus(-1, "[data-difference]"),
  });
  const error = one.error ?? other.error;
  if (error) return <Failure error={error} />;
  if (!one.value || !other.value) return <Skeleton what="both runs" />;
  return <Comparison a={one.value} b={other.value} />;
}

function Comparison({ a, b }: { readonly a: RunPage; readonly b: RunPage }) {
  return (
    <>
      <header className="run-head">
        <div>
          <p className="crumb">Compare</p>
          <h1 className="first-line">{describeDifference(a, b)}</h1>
        </div>
      </header>
      <div className="page">
        <div className="two-columns">
          <RunCard name="A" page={a} />
          <RunCard name="B" page={b} />
        </div>
        <CompareTable lines={comparePhases(a, b)} />
        <SameAndDifferent a={a} b={b} />
        <KeyBar keys={KEYS} right="highlighted rows differ in more than time" />
      </div>
    </>
  );
}
