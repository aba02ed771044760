import { z } from "zod";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import { never, orRest } from "../../core/authoring/retry.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import { addHistory, type IterationSummary } from "./artifacts.ts";
import { beginRun } from "./choosing/begin-run.ts";
import { chooseItem } from "./choosing/choose-item.ts";
import { runItem } from "./item/item.ts";
import { recordBlock, recordDone } from "./recording/record-item.ts";
import { architect, implement, research, review, testing } from "./roles.ts";

const Input = z.strictObject({ file: z.string().min(1).default("roadmap.json") });

export const roadmap = definePipeline(
  {
    name: "roadmap",
    does: "Runs the ready items of roadmap.json one by one through research, design, implementation, testing and review",
    version: 7,
    input: Input,
    dialect: "markdown",
    cap: 1,
    looksAt: ({ file }) => [file],
    /**
     * @rule R-21 (declaration) The engine makes no automatic retries: a block ends the run, and only a person sets the
     *   item to `ready`. A crash or a rate limit is no block: the run is suspended until it is resumed.
     */
    retry: orRest(never()),
    phases: [
      { title: "Select", roles: [], next: ["Research", "Architect", "Implement", "Record"] },
      { title: "Research", roles: [research], next: ["Architect", "Record"] },
      { title: "Architect", roles: [architect], next: ["Implement", "Record"] },
      { title: "Implement", roles: [implement], next: ["Architect validation", "Testing", "Record"] },
      { title: "Architect validation", roles: [architect], next: ["Testing", "Record"] },
      { title: "Testing", roles: [testing], next: ["Review", "Record"] },
      { title: "Review", roles: [review], next: ["Record"] },
      { title: "Record", roles: [], next: ["Select"] },
    ],
  },
  async (verbs) => {
    const { input, phase, within } = verbs;
    const kept = [`!${input.file}`, "!.signalbox/**"];

    phase("Select");
    const start = await beginRun(verbs);
    if ("end" in start) return start.end;
    let base: Tree = start.tree;
    const history: IterationSummary[] = [];
    let note: string | undefined;
    for (let iteration = 1; ; iteration += 1) {
      const end = await within(`iteration-${iteration}`, async () => {
        phase("Select");
        const chosen = await chooseItem(verbs);
        if ("end" in chosen) return chosen.end;
        const result = await runItem(verbs, { ...chosen, base, kept, note });
        phase("Record");
        if ("block" in result) return recordBlock(verbs, { chosen, result, start, base, history });
        const recorded = await recordDone(verbs, { chosen, result, start, base, history });
        base = result.tree;
        note = recorded.note;
        return recorded.end;
      });
      if (end) return addHistory(end, history);
    }
  },
);
