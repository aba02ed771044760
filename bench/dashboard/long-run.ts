import { NO_LIVE_STATE } from "../../src/views/page/live-state.ts";
import type { GateRow, PageChange, RunPage } from "../../src/views/page/page.ts";
import { buildRunPage } from "../../src/views/page/page-fold.ts";
import { histories } from "../../test/histories/history.ts";

/** A run that continues while its page is open. */
export type LongRun = {
  page(): RunPage;
  changeAfter(seq: number): PageChange;
  /** Appends one record: another evaluation of one of its gates. */
  record(): void;
};

/** Creates the page of a recorded run with one gate per step. */
export function longRun(steps: number): LongRun {
  const [history] = histories();
  const recorded = buildRunPage(history?.records ?? [], { ...NO_LIVE_STATE, repository: "sweep" });
  const phases = recorded.rows.filter((row) => row.kind === "phase");
  const gates = createGates(recorded, steps);
  const head = { ...recorded.head, state: "running" as const };
  let { seq } = recorded;
  const page = (): RunPage => ({
    v: 1,
    seq,
    head: { ...head, lastAt: head.lastAt + seq },
    rows: [...phases, ...gates],
  });
  return {
    page,
    changeAfter(after) {
      const { rows, ...rest } = page();
      return { run: head.run, after, page: { ...rest, rows: rows.filter((row) => row.seq > after) } };
    },
    record() {
      seq += 1;
      // Picks another gate each time, spread over the whole table.
      const at = (seq * 7919) % gates.length;
      const gate = gates[at];
      if (gate) gates[at] = { ...gate, seq, state: gate.state === "missed" ? "passed" : "missed" };
    },
  };
}

function createGates({ rows }: RunPage, steps: number): GateRow[] {
  const gate = rows.find((row): row is GateRow => row.kind === "gate");
  if (!gate) throw new Error("The recorded run has no gate.");
  const phases = rows.filter((row) => row.kind === "phase");
  return Array.from({ length: steps }, (_, at): GateRow => {
    const phase = phases[Math.floor((at / steps) * phases.length)]?.phase ?? gate.phase;
    const name = `package-${at % 97}/dist/file-${at}.d.ts`;
    const state = at % 7 === 0 ? "missed" : "passed";
    return { ...gate, id: `gate:${at}`, seq: 1, key: `${phase}/${name}`, gate: name, phase, state };
  });
}
