// Copy it to .signalbox/pipelines/tidy.ts of your repository, then:
//   signalbox run tidy "Give the README a title" --trust --agents examples/scripted-agents.yaml
import { definePipeline, defineRole, once, valueRule } from "signalbox";
import { z } from "zod";

const input = z.object({ request: z.string().min(1) });

const writer = defineRole({
  name: "writer",
  does: "Makes the smallest change that fulfils the request.",
  input,
  contract: z.object({ summary: z.string().min(1) }),
  writes: true,
});

const SMALL = valueRule({
  id: "SMALL",
  because: "a tidy change touches at most three files",
  judge: ({ changed }: { changed: readonly string[] }) => ({
    passed: changed.length > 0 && changed.length <= 3,
    actual: changed.length,
    need: "at most 3",
  }),
});

const phases = [{ title: "1 Write", roles: [writer] }, { title: "2 Accept" }];

export const tidy = definePipeline(
  { name: "tidy", does: "One small change, seen by a person", input, phases, retry: once() },
  async ({ input, phase, agent, gate, ask, commit, end }) => {
    phase("1 Write");
    const work = await agent(writer, input);
    const small = await gate("small", [SMALL], { changed: work.changed, tree: work.after });
    if (!small.passed) return end({ status: "error", reason: "the change is too large" });

    phase("2 Accept");
    const show = { summary: work.summary, changed: work.changed };
    const answer = await ask({
      title: "Keep this change?",
      show,
      choices: ["keep", "drop"],
      auto: "keep",
      accepts: "keep",
      tree: work.after,
    });
    if (answer.choice === "drop") return { status: "done", reason: "dropped by a person" };
    await commit(work.after, { message: `chore: ${work.summary}`, because: [small, answer.decision] });
    return { status: "done", confidence: "high" };
  },
);
