import { useState } from "react";
import type { RunLine } from "../../../src/surfaces/server/port/documents.ts";
import { navigate } from "../../app/router.tsx";
import { useStore } from "../../data/hooks.ts";
import { Button } from "../../parts/button.tsx";
import { formatTimeOfDay, shortenRun } from "../../parts/format.ts";

export function PickTwo() {
  const home = useStore((store) => store.home.value);
  const runs = [...(home?.running ?? []), ...(home?.recent ?? [])];
  const [a, setA] = useState("");
  const [b, setB] = useState("");
  const off = a === "" || b === "" ? "choose two runs" : a === b ? "choose two different runs" : null;
  return (
    <div className="page narrow">
      <h1 className="first-line">Compare two runs</h1>
      <Pick label="A" runs={runs} value={a} onPick={setA} />
      <Pick label="B" runs={runs} value={b} onPick={setB} />
      <Button
        look="primary"
        off={off}
        onPress={() => navigate(`/compare/${encodeURIComponent(a)}/${encodeURIComponent(b)}`)}
      >
        Compare
      </Button>
    </div>
  );
}

type PickProps = {
  readonly label: string;
  readonly runs: readonly RunLine[];
  readonly value: string;
  readonly onPick: (run: string) => void;
};

function Pick({ label, runs, value, onPick }: PickProps) {
  return (
    <label className="field">
      {label}
      <select value={value} onChange={(event) => onPick(event.target.value)}>
        <option value="">choose a run</option>
        {runs.map((run) => (
          <option key={run.run} value={run.run}>
            {run.request} · {run.pipeline} · {shortenRun(run.run)} · {formatTimeOfDay(run.startedAt)}
          </option>
        ))}
      </select>
    </label>
  );
}
