import { actionsOf, changeOf, type MakeCast } from "./cast.ts";

/** The smallest pipeline that a team writes: one agent, the configured commands, a commit. */
const PIPELINE = `import { definePipeline, defineRole, once, valueRule } from "signalbox";
import { z } from "zod";

const input = z.object({ request: z.string().min(1) });
const writer = defineRole({
  name: "writer",
  does: "Does what is asked.",
  input,
  contract: z.object({ summary: z.string().min(1) }),
  writes: true,
});

const NOTHING_WORSE = valueRule({
  id: "NOTHING-WORSE",
  because: "no check may fail that passed before",
  judge: ({ regressions }: { regressions: readonly unknown[] }) => ({ passed: regressions.length === 0 }),
});

export const own = definePipeline(
  { name: "own", does: "One change, checked and committed", input, phases: [{ title: "1 Write", roles: [writer] }], retry: once() },
  async ({ input, phase, see, agent, check, gate, commit, end }) => {
    phase("1 Write");
    const baseline = await see("head");
    const work = await agent(writer, input);
    const { regressions } = await check(work.after, { baseline });
    const green = await gate("green", [NOTHING_WORSE], { regressions, tree: work.after });
    if (!green.passed) return end({ status: "error", reason: "the checks do not pass" });
    await commit(work.after, { message: \`feat: \${work.summary}\`, because: [green] });
    return { status: "done", confidence: "high" };
  },
);
`;

export const own: MakeCast = (plot) => ({
  args: [plot.request],
  files: { ".signalbox/pipelines/own.ts": PIPELINE },
  worker: "writer",
  agents: [
    {
      role: "writer",
      do: actionsOf(changeOf(plot.work), plot.work.run),
      output: { summary: "do as asked, all tests pass" },
    },
  ],
});
