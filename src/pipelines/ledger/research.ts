import { yamlOf } from "./artifacts.ts";
import { FOCUSES } from "./contracts.ts";
import type { Desk } from "./desk.ts";
import { researcher } from "./roles.ts";

const EXPANSIONS = 2;
const ENOUGH = 2;

/** Steps 1 and 1a: four views of the code base, two of which must arrive; a person may ask twice for more. */
export async function research(desk: Desk<{ request: string }>, folder: string) {
  const { loop, ask, fail, round: atRound } = desk;
  let notes = "";
  const { found } = await loop({ max: 1 + EXPANSIONS }, async ({ round }) => {
    atRound("research", round);
    const found = await look(desk, folder, notes);
    if (found.length < ENOUGH) {
      return fail(`only ${found.length} of ${FOCUSES.length} researchers delivered; ${ENOUGH} are needed`);
    }
    const go = await ask({
      title: "Research is in. Go on to the specification?",
      show: found,
      choices:
        round > EXPANSIONS ? (["proceed", "abort"] as const) : (["proceed", "expand", "abort", "other"] as const),
      auto: "proceed",
      accepts: "proceed",
    });
    if (go.choice === "abort") return fail("aborted");
    notes = go.note ?? "";
    return { found, decision: go.decision };
  });
  return found;
}

async function look(desk: Desk<{ request: string }>, folder: string, notes: string) {
  const { input, attempt, parallel, write } = desk;
  const answers = await parallel(FOCUSES, async (focus) => {
    const question = { request: input.request, focus, ...(notes && { notes }) };
    const answer = await attempt(researcher, question, { as: `researcher-${focus}` });
    if (!answer.ok) return undefined;
    await write(`${folder}/research/${focus}.yaml`, yamlOf({ focus, ...answer.value }));
    return { focus, ...answer.value };
  });
  return answers.filter((answer) => answer !== undefined);
}
