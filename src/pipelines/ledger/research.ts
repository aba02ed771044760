import type { Verbs } from "../../core/verbs.ts";
import { yamlOf } from "./artifacts.ts";
import { FOCUSES } from "./contracts.ts";
import { researcher } from "./roles.ts";

const EXPANSIONS = 2;

/** Steps 1 and 1a: four views of the code base, two of which must arrive; a person may ask for more. */
export async function research(verbs: Verbs<{ request: string }>, folder: string) {
  const { input, agent, parallel, loop, ask, write, end } = verbs;
  let wish = "";
  const { found } = await loop({ max: 1 + EXPANSIONS }, async () => {
    const answers = await parallel(
      FOCUSES,
      async (focus) => {
        const answer = await agent(researcher, { request: input.request, focus, wish }, { as: `researcher-${focus}` });
        await write(`${folder}/research/${focus}.yaml`, yamlOf(answer));
        return { focus, ...answer };
      },
      { atLeast: 2 },
    );
    const found = answers.filter((answer) => answer !== undefined);
    const go = await ask({
      title: "Research is in. Go on to the specification?",
      show: found,
      choices: ["proceed", "expand", "abort", "other"],
      auto: "proceed",
      accepts: "proceed",
    });
    if (go.choice === "abort") return end({ status: "error", reason: "aborted" });
    wish = go.note ?? "";
    return { found, decision: go.decision };
  });
  return found;
}
