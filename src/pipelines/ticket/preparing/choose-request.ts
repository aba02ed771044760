import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Input } from "../context.ts";
import { removeTickets } from "./request.ts";

const GIVEN = "the new one";
const KEPT = "the kept one";
const LEADS = {
  [GIVEN]: "restart the ticket with this request",
  [KEPT]: "continue with the original request",
};

type KeptRequest = { readonly jira: string; readonly kept: string; readonly accepted?: boolean };

/** Returns whether the ticket's original request still counts. If the current one differs, a person decides. */
export async function chooseOriginalRequest({ input, ask }: Verbs<Input>, ticket: KeptRequest): Promise<boolean> {
  const { jira, kept, accepted = false } = ticket;
  if (!isNewRequest(input.request, kept)) return true;
  const title = accepted
    ? `${jira} is already ACCEPTED, with another request. Which one counts?`
    : `${jira} was begun with another request. Which one counts?`;
  const { choice } = await ask({
    title,
    show: { given: input.request, kept },
    choices: [GIVEN, KEPT],
    auto: GIVEN,
    leads: LEADS,
  });
  return choice === KEPT;
}

/** Returns whether the request adds anything to the original; a bare ticket id does not. */
function isNewRequest(given: string, kept: string): boolean {
  const said = normalizeRequest(given);
  return said !== "" && said !== normalizeRequest(kept);
}

const normalizeRequest = (text: string): string => removeTickets(text).replace(/[\s.]+$/, "");
