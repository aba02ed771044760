import { z } from "zod";
import { definePipeline } from "../../core/pipeline.ts";
import { never } from "../../core/retry.ts";
import type { Tree } from "../../core/tree.ts";
import { type Summary, withHistory } from "./artifacts.ts";
import { choose } from "./choosing.ts";
import { runItem } from "./item.ts";
import { recordBlock, recordDone } from "./recording.ts";
import { architect, implement, research, review, testing } from "./roles.ts";
import { begin } from "./starting.ts";

const Input = z.strictObject({ file: z.string().min(1).default("roadmap.json") });

export const roadmap = definePipeline(
  {
    name: "roadmap",
    about: "Takes one ready item of roadmap.json after the other through research, design, build, test and review",
    version: 1,
    input: Input,
    dialect: "markdown",
    cap: 1,
    retry: never(),
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
    const start = await begin(verbs);
    if ("end" in start) return start.end;
    let base: Tree = start.tree;
    const history: Summary[] = [];
    for (let iteration = 1; ; iteration += 1) {
      const end = await within(`iteration-${iteration}`, async () => {
        phase("Select");
        const chosen = await choose(verbs);
        if ("end" in chosen) return chosen.end;
        const result = await runItem(verbs, { ...chosen, base, kept });
        phase("Record");
        if ("block" in result) return recordBlock(verbs, { chosen, result, start, history });
        base = result.tree;
        return recordDone(verbs, { chosen, result, start, history });
      });
      if (end) return withHistory(end, history);
    }
  },
);
