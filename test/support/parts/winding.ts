import { z } from "zod";
import { definePipeline } from "../../../src/core/authoring/pipeline.ts";
import { once } from "../../../src/core/authoring/retry.ts";
import { defineRole } from "../../../src/core/authoring/role.ts";
import { sqlRule } from "../../../src/core/authoring/rule.ts";
import { anyInput } from "../answers/scenario.ts";
import type { Part } from "../real-run.ts";

const reader = defineRole({ name: "reader", does: "reads", contract: z.object({ found: z.string() }) });
const writer = defineRole({ name: "writer", does: "writes", contract: z.object({ did: z.string() }), writes: true });

const green = sqlRule({
  id: "W-1",
  because: "the check named green passes on the merged tree",
  sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks
WHERE run_id = :run AND tree = :tree AND check_name = 'green' AND passed = 1`,
  need: 1,
});

const winding = definePipeline(
  {
    name: "winding",
    about: "a retry, a question, writers side by side, a gate that refuses once, a commit",
    version: 1,
    input: z.object({ topic: z.string() }),
    dialect: "completion",
    phases: [{ title: "1 Read", roles: [reader] }, { title: "2 Write", roles: [writer] }, { title: "3 Land" }],
    cap: 3,
    retry: once(),
  },
  async ({ input, phase, see, parallel, agent, ask, loop, merge, check, gate, write, commit, end }) => {
    phase("1 Read");
    const head = await see("head");
    const read = await parallel(["near", "far"], (focus) => agent(reader, { ...input, focus }));
    const go = await ask({ title: "Go on?", show: read, choices: ["yes", "no"], auto: "never" });
    if (go.choice === "no") return { status: "error", reason: "a person said no" };

    phase("2 Write");
    const worked = await loop({ max: 3 }, async ({ findings }) => {
      const written = await parallel(["x", "y"], (part) =>
        agent(writer, { part, findings }, { in: head, writes: [`${part}.txt`] }),
      );
      const merged = await merge(
        head,
        written.flatMap((each) => (each ? [each.after] : [])),
      );
      if (!merged.clean) return end({ status: "error", reason: `conflicts in ${merged.conflicts.join()}` });
      await check(merged.tree, { baseline: head });
      return { tree: merged.tree, decision: await gate("green", [green], { tree: merged.tree.tree }) };
    });

    phase("3 Land");
    await write("report.md", `${input.topic}, after ${worked.rounds} rounds\n`);
    await commit(worked.tree, { message: "feat: both parts", because: [worked.decision] });
    return { status: "done", confidence: "high", report: { rounds: worked.rounds } };
  },
);

/** The first `far` meets an overloaded model; the first `y` leaves a failing check and an unexpected file. */
export const windingPart: Part = {
  pipeline: anyInput(winding),
  input: { topic: "two parts" },
  files: { "a.txt": "a\n" },
  agents: [
    { role: "reader", instance: "far", attempt: 1, do: [{ misbehave: "429" }] },
    { role: "reader", output: { found: "a.txt" } },
    {
      role: "writer",
      instance: "y",
      round: 1,
      do: [{ write: { path: "y.txt", content: "red\n" } }, { write: { path: "stray.txt", content: "stray\n" } }],
      output: { did: "a first try" },
    },
    {
      role: "writer",
      do: [{ run: 'echo "$SIGNALBOX_INSTANCE in round $SIGNALBOX_ROUND" > "$SIGNALBOX_INSTANCE.txt"' }],
      output: { did: "the part" },
    },
  ],
  commands: [
    { name: "kept", run: "grep a a.txt" },
    { name: "green", run: "! grep -s red y.txt" },
  ],
};
