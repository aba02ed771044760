import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import { withDecisions, yamlOf } from "./artifacts.ts";
import type { Desk } from "./desk.ts";
import { knowledge } from "./roles.ts";
import { type Confidence, confidenceOf } from "./rules.ts";
import type { Setup } from "./setup.ts";

type Outcome = { readonly exhausted: boolean; readonly decisions: readonly Decision[]; readonly verdicts: unknown };

/** Steps 8 and 8b, first half: an agent looks back. Whatever it says, confidence is counted, not claimed. */
export async function lookBack(desk: Desk<{ request: string }>, setup: Setup, outcome: Outcome) {
  const { input, run, attempt, write } = desk;
  const { folder } = setup;
  const confidence = confidenceOf(outcome);
  const issues = outcome.decisions.flatMap((decision) => decision.findings);
  const learned = await attempt(knowledge, {
    request: input.request,
    outputs: desk.outputs(),
    telemetry: { dispatches: desk.dispatches(), errors: desk.failures() },
    verdicts: outcome.verdicts,
    decisions: outcome.decisions,
    confidence,
  });
  if (learned.ok) await write(`${folder}/knowledge-output.yaml`, yamlOf(learned.value));
  const own = { id: run, title: input.request, rationale: rationaleOf(confidence, issues) };
  const entries = [own, ...(learned.ok ? learned.value.decision_log_entries : [])];
  await write(`${folder}/decisions.yaml`, withDecisions(setup.decided, entries));
  return { confidence, issues };
}

function rationaleOf(confidence: Confidence, issues: readonly Finding[]): string {
  return `confidence ${confidence}, ${issues.length} known issues`;
}
