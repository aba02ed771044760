// A pipeline is a declaration and an async function over verbs; everything else is ordinary TypeScript.
// Every verb is recorded: a run that is killed goes on where it was. Await each verb, and take time, chance and files
// only through verbs. `signalbox` and `zod` need not be installed here.
import { definePipeline, defineRole, once, valueRule } from "signalbox";
import { z } from "zod";

const Request = z.object({ request: z.string().min(1) });

// What an agent is asked to be. `input` is what it is sent, `contract` the only form in which its answer counts; with
// `writes`, the files that it changed are taken too. Who plays it is said in .signalbox/config.yaml or by --agent.
const writer = defineRole({
  name: "writer",
  does: "Makes the smallest change that fulfils the request.",
  input: Request,
  contract: z.object({ summary: z.string().min(1) }),
  writes: true,
});

// What must hold, as a pure function of what the gate is about. Its answer is recorded with the numbers.
const SMALL = valueRule({
  id: "SMALL",
  because: "a change touches one to three files",
  judge: ({ changed }: { changed: readonly string[] }) => ({
    passed: changed.length >= 1 && changed.length <= 3,
    actual: changed.length,
    need: "at most 3",
  }),
});

export const pipeline = definePipeline(
  {
    name: "minimal",
    does: "One small change, accepted by a person",
    input: Request,
    // A role can only be dispatched under a heading that names it.
    phases: [{ title: "1 Write", roles: [writer] }, { title: "2 Accept" }],
    retry: once(),
  },
  async ({ input, phase, agent, gate, ask, commit }) => {
    phase("1 Write");
    const work = await agent(writer, input);
    const small = await gate("small", [SMALL], { changed: work.changed, tree: work.after });
    if (!small.passed) return { status: "error", reason: `${work.changed.length} files were changed` };

    phase("2 Accept");
    const answer = await ask({
      title: "Keep this change?",
      show: { summary: work.summary, changed: work.changed },
      choices: ["keep", "drop"],
      auto: "keep",
      accepts: "keep",
      tree: work.after,
    });
    if (answer.choice === "drop") return { status: "done", reason: "dropped by a person" };

    // Refused unless every decision named here passed and speaks of this very tree.
    await commit(work.after, { message: `chore: ${work.summary}`, because: [small, answer.decision] });
    return { status: "done", confidence: "high" };
  },
);
