import type { Prompt } from "../contracts.ts";
import { withoutTickets } from "./request.ts";

/** The prompt file for whoever works by it, each thing once: a request that was clear says everything by itself. */
export function askedFor({ type, original_request, refined_prompt, success_criteria }: Prompt) {
  const isPlain = withoutTickets(original_request) === refined_prompt;
  const [only, ...more] = success_criteria;
  const isSame = more.length === 0 && only === refined_prompt;
  return {
    type,
    original_request,
    ...(isPlain ? {} : { refined_prompt }),
    ...(isSame ? {} : { success_criteria }),
  };
}
