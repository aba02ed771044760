import type { Prompt } from "../contracts.ts";
import { withoutTickets } from "./request.ts";

/** The prompt file for whoever works by it, each thing once: a request that was clear says everything by itself. */
export function askedFor({ jira, type, original_request, refined_prompt, success_criteria }: Prompt) {
  const isPlain = withoutTickets(original_request, jira) === refined_prompt;
  // Sentences of the request itself, which stand there already.
  const isSame = success_criteria.every((criterion) => refined_prompt.includes(criterion));
  return {
    type,
    original_request,
    ...(isPlain ? {} : { refined_prompt }),
    ...(isSame ? {} : { success_criteria }),
  };
}
