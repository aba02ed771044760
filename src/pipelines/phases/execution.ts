import type { Outcome } from "../../core/failure.ts";
import type { Finding } from "../../core/finding.ts";
import { upTo } from "../../core/retry.ts";
import type { Tree } from "../../core/tree.ts";
import type { DispatchOptions, Verbs } from "../../core/verbs.ts";
import type { Context } from "./context.ts";
import { type Phase, Report } from "./contracts.ts";
import { codeMapper, codeReviewer, executorOf, researcher } from "./roles.ts";

const TRANSIENT_IN_A_ROW = 2;
const QUESTIONS = 3;

export type Executed = Report & { readonly after: Tree; readonly changed: readonly string[] };
export type Order = {
  readonly phase: Phase;
  readonly tree: Tree;
  readonly findings: readonly Finding[];
  readonly retry: number;
};

/** One dispatch of a phase to its declared executor; its questions go to a person and cost no retry. */
export async function execute(verbs: Verbs<unknown>, context: Context, order: Order): Promise<Outcome<Executed>> {
  const chosen: string[] = [];
  for (;;) {
    const work = await verbs.within(`dispatch-${chosen.length + 1}`, () =>
      dispatch(verbs, context, { ...order, chosen }),
    );
    const question = work.ok && work.value.status === "NEEDS_INPUT" ? work.value.clarification_request : undefined;
    if (!question || chosen.length === QUESTIONS) return work;
    const answer = await verbs.ask({
      title: `Phase ${order.phase.phase_id} asks: ${question.impact_analysis}`,
      show: question,
      choices: question.options.map((option) => option.id),
      auto: question.recommended_option,
    });
    chosen.push(answer.choice);
  }
}

async function dispatch(
  verbs: Verbs<unknown>,
  { trace, task, policy }: Context,
  order: Order & { readonly chosen: readonly string[] },
): Promise<Outcome<Executed>> {
  const { phase, tree, findings, chosen } = order;
  const input = {
    task_id: task,
    phase_id: phase.phase_id,
    task_definition: phase,
    revision: findings,
    chosen,
    retry_attempt: order.retry,
    trace_id: trace,
  };
  const retry = upTo(TRANSIENT_IN_A_ROW, { baseMs: policy.retry_budgets.backoff_base_ms });
  const options = { in: tree, task: `phase-${phase.phase_id}`, retry };
  const writes = phase.files.map((file) => file.path);
  const role = executorOf(phase.executor_agent);
  if (role) return verbs.attempt(role, input, { ...options, writes });
  const reading = await read(verbs, phase.executor_agent ?? "", { input, options });
  if (!reading.ok) return reading;
  const { status, confidence } = reading.value;
  const complete = status === "COMPLETE" || status === "APPROVED";
  const report = Report.parse({ status: complete ? "COMPLETE" : "ABSTAIN", confidence });
  return { ok: true, value: { ...report, after: tree, changed: [] } };
}

type Reading = { readonly status: string; readonly confidence: number };

async function read({ attempt }: Verbs<unknown>, name: string, asked: Asked): Promise<Outcome<Reading>> {
  if (name.startsWith(researcher.name)) return attempt(researcher, asked.input, asked.options);
  if (name.startsWith(codeReviewer.name)) return attempt(codeReviewer, asked.input, asked.options);
  return attempt(codeMapper, asked.input, asked.options);
}

type Asked = { readonly input: unknown; readonly options: DispatchOptions };
