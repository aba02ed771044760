import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { DELIVERED } from "./acting-rules.ts";
import type { Heard } from "./code-review.ts";
import type { Context } from "./context.ts";
import { type Executed, execute, type Order, type Sent, type Standing } from "./execution.ts";
import { countsOf, type Fault, routeOf } from "./failures.ts";
import { asFinding } from "./findings.ts";
import { judge, phaseGate } from "./judgement.ts";
import type { Phase, Plan } from "./plan.ts";
import { kindOf } from "./plan-rules.ts";
import { replan } from "./replan.ts";

export type PhaseResult = {
  /** As it was carried out; a local replan may have changed it. */
  readonly phase: Phase;
  readonly confirmed: boolean;
  readonly passed: boolean;
  readonly after: Tree;
  readonly decision: Decision;
  /** Everything that went wrong on the way, in order. */
  readonly faults: readonly Fault[];
  readonly work?: Executed;
  /** The files that the engine saw change. */
  readonly changed: readonly string[];
  readonly verdicts: readonly Heard[];
  readonly why?: string;
  /** A replan that reaches beyond this phase. */
  readonly proposal?: Plan;
};

export type Task = {
  readonly phase: Phase;
  readonly plan: Plan;
  readonly tree: Tree;
  /** Its files as they were approved, and whether a person said yes to its risks. */
  readonly approved: readonly string[];
  readonly confirmed: boolean;
  readonly standing: Standing;
  /** What earlier passes left it with. */
  readonly faults: readonly Fault[];
  readonly hint?: string;
};

/** What changes from round to round. */
type State = {
  phase: Phase;
  approved: readonly string[];
  confirmed: boolean;
  /** Where the next dispatch starts: a revision goes on with the work that was judged, anything else starts afresh. */
  start: Tree;
  revision: readonly Finding[];
  hint: string | undefined;
  output: string | undefined;
  proposal: Plan | undefined;
  work: Executed | undefined;
  changed: readonly string[];
  readonly faults: Fault[];
  readonly verdicts: Heard[];
};

/** One phase until it is complete, or until its failures have used up what the policy allows. */
export async function runPhase(verbs: Verbs<unknown>, context: Context, task: Task): Promise<PhaseResult> {
  const budgets = context.policy.retry_budgets;
  const state = begin(task);
  const route = () =>
    routeOf(
      state.faults.map((fault) => fault.class),
      context.policy,
    );
  const stop = () => {
    const next = route();
    if (state.proposal) return "the replan changes other phases too";
    return next.go === "escalate" ? next.why : undefined;
  };
  const result = await verbs.loop({ max: 1 + budgets.max_retries_per_phase, stop }, async () => {
    verbs.phase("ACTING");
    await verbs.note(standingOf(state, "ACTING"));
    const repaired = route().go === "replan" ? await repair(verbs, context, { task, state }) : undefined;
    if (repaired) return { decision: repaired };
    const sent = await execute(verbs, context, orderOf(task, state));
    state.faults.push(...sent.faults);
    return { decision: await judged(verbs, context, { task, state, sent }) };
  });
  const { phase, confirmed, faults, verdicts, changed, work, proposal, start } = state;
  const passed = result.ended === "passed";
  await verbs.note(standingOf(state, passed ? "complete" : "not complete"));
  const common = { phase, confirmed, passed, after: start, decision: result.decision, faults, verdicts, changed };
  const why = result.why ?? "its retries are used up";
  return { ...common, ...(work && { work }), ...(passed ? {} : { why }), ...(proposal && { proposal }) };
}

const begin = ({ phase, approved, confirmed, tree, hint, faults }: Task): State => ({
  phase,
  approved,
  confirmed,
  start: tree,
  revision: [],
  hint,
  output: undefined,
  proposal: undefined,
  work: undefined,
  changed: [],
  faults: [...faults],
  verdicts: [],
});

function orderOf(task: Task, state: State): Order {
  const { phase, approved, confirmed, start, revision, hint, output, faults } = state;
  return {
    phase,
    approved,
    confirmed,
    tree: start,
    standing: task.standing,
    revision,
    ...(hint === undefined ? {} : { hint }),
    ...(output === undefined ? {} : { output }),
    spent: faults.map((fault) => fault.class),
  };
}

type Turn = { readonly task: Task; readonly state: State };

/** Undefined when the phase can go on; otherwise the decision that stopped it. */
async function repair(verbs: Verbs<unknown>, context: Context, { task, state }: Turn): Promise<Decision | undefined> {
  const found = await replan(verbs, context, { plan: task.plan, phase: state.phase, faults: state.faults });
  state.faults.push(...found.faults);
  state.proposal = found.proposal;
  if (!found.phase) return { ...found.decision, passed: false };
  state.phase = found.phase;
  state.approved = found.phase.files.map((file) => file.path);
  state.confirmed = found.confirmed ?? state.confirmed;
  state.start = task.tree;
  state.revision = [];
  state.hint = undefined;
  state.output = undefined;
  return undefined;
}

async function judged(
  verbs: Verbs<unknown>,
  context: Context,
  turn: Turn & { readonly sent: Sent },
): Promise<Decision> {
  const { task, state, sent } = turn;
  if (!sent.work) return sent.ready;
  const fault = sent.faults.at(-1);
  if (!sent.work.ok || failedItself(sent)) {
    state.hint = fault?.reason;
    state.revision = [];
    state.start = task.tree;
    const failed = fault?.reason ?? "the agent gave no usable answer";
    const about = { kind: kindOf(state.phase), failed, todo: false, acceptUnbuilt: false };
    return phaseGate(verbs, context, {
      phase: state.phase,
      rules: [DELIVERED],
      about,
      spent: state.faults.map((each) => each.class),
      booked: true,
      state: "ACTING",
    });
  }
  const work = sent.work.value;
  const { decision, changed, verdict, faults, output } = await judge(verbs, context, {
    phase: state.phase,
    base: task.tree,
    work,
    spent: state.faults.map((each) => each.class),
  });
  state.faults.push(...faults);
  state.start = work.after;
  state.work = work;
  state.changed = changed;
  if (verdict) state.verdicts.push(verdict);
  // A reviewer's confirmed issues are the whole of the next task; advice would only widen it.
  const blocking = verdict?.validated_blocking_issues.map(asFinding) ?? [];
  state.revision = blocking.length > 0 ? blocking : decision.findings.filter(({ severity }) => severity !== "minor");
  state.hint = blocking.length > 0 ? undefined : faults.at(-1)?.reason;
  state.output = blocking.length > 0 ? undefined : output;
  return decision;
}

const failedItself = ({ faults }: Sent): boolean => faults.at(-1)?.at === "report";

function standingOf({ phase, faults }: State, state: string) {
  return {
    [`phase ${phase.phase_id}`]: {
      state,
      title: phase.title,
      agent: phase.executor_agent ?? "",
      retries: countsOf(faults),
    },
  };
}
