import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Outcome } from "../../../core/failure/failure.ts";
import type { Json } from "../../../core/text/json.ts";
import type { Report } from "../acting/report.ts";
import type { Policy } from "../policy.ts";
import type { OpenQuestion, Phase, Plan } from "./plan.ts";
import { listNamedActions } from "./risks.ts";

/** A question settled by a person or by the recommendation. Every later dispatch that it concerns contains it. */
export type SettledChoice = { readonly question: string; readonly choice: string; readonly by: string };

type ClarificationRequest = NonNullable<Report["clarification_request"]>;
type AskingVerbs = Pick<Verbs<unknown>, "ask" | "phase">;

/**
 * @rule P-54 (policy) On NEEDS_INPUT with a clarification request, the engine asks whatever `failure_classification`
 *   says and uses no retry; without a request, it escalates.
 */
export function getClarificationRequest(
  work: Outcome<Pick<Report, "status" | "clarification_request">>,
): ClarificationRequest | undefined {
  return work.ok && work.value.status === "NEEDS_INPUT" ? work.value.clarification_request : undefined;
}

/**
 * Asks an agent's question with options, pros, cons, files, recommendation and impact.
 * @rule P-33 (policy) A person sees an agent's question with options, pros, cons, affected files, recommendation and
 *   impact; the choice is added to the retried dispatch.
 */
export async function askClarification(
  { ask, phase: heading }: AskingVerbs,
  {
    phase,
    request,
    policy,
  }: { readonly phase: Phase; readonly request: ClarificationRequest; readonly policy: Policy },
): Promise<SettledChoice & Readonly<Record<string, Json>>> {
  const { options, impact_analysis, recommended_option, recommended_option_rationale } = request;
  const recommended = options.find((option) => option.id === recommended_option);
  const risky = recommended === undefined || listNamedActions(recommended.description, policy).length > 0;
  heading("WAITING_APPROVAL");
  const { choice, note, by } = await ask({
    title: `Phase ${phase.phase_id} (${phase.title}) asks: ${impact_analysis}`,
    show: { options, impact_analysis, recommended_option, recommended_option_rationale },
    choices: options.map((option) => option.id),
    leads: Object.fromEntries(options.map(({ id, description }) => [id, description])),
    auto: risky ? "never" : recommended_option,
  });
  heading("ACTING");
  const description = options.find((option) => option.id === choice)?.description ?? "";
  return { question: impact_analysis, choice, description, by, ...(note === undefined ? {} : { note }) };
}

/**
 * Open questions that must be settled before these phases start.
 * @rule P-53 (policy) The plan's open questions are settled before the phase that they concern; a destructive one
 *   always waits for a person.
 */
export function listQuestionsBeforeWave(plan: Plan, wave: readonly Phase[]): readonly OpenQuestion[] {
  const first = Math.min(...plan.phases.map((phase) => phase.phase_id));
  const ids = wave.map((phase) => phase.phase_id);
  return plan.open_questions.filter(
    (question) => question.class !== "answerable" && ids.includes(question.phase_id ?? first),
  );
}

/** Questions about the scope of the whole plan; settled before its approval. */
export const listScopeQuestions = ({ open_questions }: Plan): readonly OpenQuestion[] =>
  open_questions.filter((question) => question.class === "scope_ambiguity");

/** Asks the plan's open questions. A destructive one waits for a person in every mode. */
export async function settleQuestions(
  { ask, within }: Pick<Verbs<unknown>, "ask" | "within">,
  questions: readonly OpenQuestion[],
): Promise<readonly SettledChoice[]> {
  const choices: SettledChoice[] = [];
  for (const [at, { question, options, recommendation, class: kind }] of questions.entries()) {
    const { choice, note, by } = await within(`question-${at + 1}`, () =>
      ask({
        title: question,
        show: { class: kind, options, recommendation },
        choices: [...new Set([recommendation, ...options])],
        auto: kind === "destructive_risk" ? "never" : recommendation,
      }),
    );
    choices.push({ question, choice: note === undefined ? choice : `${choice}: ${note}`, by });
  }
  return choices;
}
