import type { PageHead, PhaseRow, QuestionRow, RunningAgent, RunPage } from "../../../views/page/page.ts";
import type { StateName } from "../../../views/states.ts";

export const NOW = new Date(2026, 10, 16, 9, 24, 30).getTime();

export function agent(who: string, more: Partial<RunningAgent> = {}): RunningAgent {
  return {
    id: who,
    key: `5 Implement/round-2/${who}`,
    effect: who,
    who,
    role: "implementer",
    phase: "5 Implement",
    round: 2,
    attempt: 1,
    by: "scripted",
    since: NOW - 17_000,
    lastAction: { text: "write src/greet.js", at: NOW - 16_000 },
    silence: { forMs: 16_000, leftMs: 284_000 },
    reservedUsd: 0.49,
    said: null,
    stale: false,
    fate: null,
    ...more,
  };
}

export function phase(title: string, state: StateName, position = 0): PhaseRow {
  const startedAt = state === "not-started" ? null : NOW - 40_000;
  const counts = { ms: 0, dispatches: 0, retries: 0, position, seq: 1 };
  return { kind: "phase", id: title, phase: title, title, state, because: "", startedAt, ...counts };
}

export function question(title: string): QuestionRow {
  return {
    kind: "question",
    id: title,
    seq: 9,
    phase: "4 Plan",
    state: "waiting",
    key: "4 Plan/approve",
    approval: "a-1afa68c8",
    title,
    show: null,
    brief: null,
    paths: [],
    choices: [],
    hash: "",
    askedAt: NOW - 300_000,
    answer: null,
    pause: false,
  };
}

const PHASES: readonly PhaseRow[] = [
  ...["0 Setup", "1 Research", "2 Spec", "3 Design", "4 Plan"].map((title, at) => phase(title, "answered", at + 1)),
  phase("5 Implement", "running", 6),
  phase("6 Verify", "missed", 7),
  ...["7 Code review", "8 Knowledge", "9 Commit"].map((title, at) => phase(title, "not-started", at + 8)),
];

/** Two agents in the second round of a run with a budget. */
export function page(head: Partial<PageHead> = {}, rows: RunPage["rows"] = PHASES): RunPage {
  const agents = [agent("implementer greet"), agent("implementer initials")];
  const whole: PageHead = {
    run: "20261116-092354-737de1",
    pipeline: "ledger",
    version: 1,
    repository: "greeter",
    request: "Loud greetings, and initials",
    approvals: "autonomous",
    state: "running",
    status: "running",
    exit: null,
    waitsFor: { text: "2 agents", since: NOW - 17_000, needs: "nobody" },
    because: "",
    next: [],
    confidence: null,
    caveats: [],
    startedAt: NOW - 37_000,
    lastAt: NOW - 16_000,
    workedMs: 37_000,
    base: { commit: "4179eb1ff2", tree: "" },
    commits: [],
    counts: {
      dispatches: 25,
      retried: 0,
      interrupted: 0,
      atWork: 2,
      gatesPassed: 3,
      gatesMissed: 1,
      questionsOpen: 0,
      answeredByRule: 1,
      checksNotRun: 0,
    },
    cost: { known: 3.52, assumed: 0.26, reserved: 0.98, counted: 4.76, unknown: 0, open: 2, limitUsd: 8 },
    tokens: { input: 0, output: 0, unknown: 25 },
    forecast: { runs: 3, dispatches: [27, 32], ms: [30_000, 119_000] },
    agents,
    checks: [],
    resting: [],
    actions: [],
    backEdges: [],
    ...head,
  };
  return { v: 1, seq: 9, head: whole, rows };
}

export { PHASES };
