import { definePipeline, defineRole, once, valueRule } from "signalbox";
import { z } from "zod";

const worker = defineRole({
  name: "worker",
  does: "Does one small piece of work.",
  contract: z.object({ summary: z.string().min(1) }),
  writes: true,
});

const CHANGED = valueRule({
  id: "CHANGED",
  because: "every task changes something",
  judge: ({ changed }: { changed: readonly string[] }) => ({
    passed: changed.length > 0,
    actual: changed.length,
    need: 1,
  }),
});

const WAVE = 50;

/** Runs the requested number of tasks, each with four steps (an agent, a check, a gate and a note), then a question. */
export const long = definePipeline(
  {
    name: "long",
    about: "A run as long as is asked for",
    version: 1,
    input: z.object({ tasks: z.number() }),
    dialect: "json",
    phases: [{ title: "1 Work", roles: [worker] }, { title: "2 Accept" }],
    cap: 1,
    retry: once(),
  },
  async ({ input, phase, within, agent, check, gate, note, ask }) => {
    phase("1 Work");
    for (let from = 0; from < input.tasks; from += WAVE) {
      await within(`wave-${from / WAVE + 1}`, async () => {
        for (let n = from; n < Math.min(from + WAVE, input.tasks); n += 1) {
          const task = `task-${n + 1}`;
          const done = await agent(worker, { task }, { as: task, task });
          await check(done.after, { task });
          await gate("changed", [CHANGED], { changed: done.changed, tree: done.after });
          await note({ last: task });
        }
      });
    }
    phase("2 Accept");
    await ask({ title: "Is it enough?", show: input.tasks, choices: ["yes"], auto: "never" });
    return { status: "done" };
  },
);
