import type { Prompt } from "../contracts.ts";
import { removeTickets } from "./request.ts";

/** Returns the request for agents without repetition. */
export function createRequestInput({ jira, type, original_request, refined_prompt, success_criteria }: Prompt) {
  const isPlain = removeTickets(original_request, jira) === refined_prompt;
  // Criteria that are sentences of the request itself.
  const isSame = success_criteria.every((criterion) => refined_prompt.includes(criterion));
  return {
    type,
    original_request,
    ...(isPlain ? {} : { refined_prompt }),
    ...(isSame ? {} : { success_criteria }),
  };
}
