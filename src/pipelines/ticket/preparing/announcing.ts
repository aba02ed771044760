import type { Announcement } from "../../../core/authoring/announcement.ts";
import type { TicketContext } from "../context.ts";
import type { Tasks } from "../contracts.ts";

const LEADS = { yes: "these tests may fail because of this change", no: "they must pass unchanged" };
const MANNERS = { revises: "no", leads: LEADS } as const;

/**
 * Asks a person to allow the behaviour changes of a plan, because nobody approves a ticket's plan. Without an answer
 * nothing is declared. Returns the changes it asked about, so that each is asked once.
 */
export async function announceIn(
  { ask, announce, jira }: Pick<TicketContext, "ask" | "announce" | "jira">,
  { announces = [] }: Pick<Tasks, "announces">,
  asked: readonly Announcement[],
): Promise<readonly Announcement[]> {
  const known = new Set(asked.map((each) => JSON.stringify(each)));
  const fresh = announces.filter((each) => !known.has(JSON.stringify(each)));
  if (fresh.length === 0) return [];
  const title = `The plan of ${jira} changes how something behaves. May the tests that say the old thing fail?`;
  const { choice } = await ask({
    title,
    show: fresh,
    choices: ["yes", "no"],
    auto: "no",
    ...MANNERS,
    announces: fresh,
  });
  if (choice === "yes") await announce(fresh.map((each) => ({ ...each, from: `tasks.yaml of ${jira}` })));
  return fresh;
}
