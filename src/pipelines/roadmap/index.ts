import { z } from "zod";
import type { End } from "../../core/end.ts";
import { definePipeline } from "../../core/pipeline.ts";
import { never } from "../../core/retry.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { runItem } from "./item.ts";
import { type Item, mark, type Roadmap, readRoadmap, render, select } from "./roadmap.ts";
import { architect, implement, research, review, testing } from "./roles.ts";
import type { ItemResult } from "./steps.ts";

const Input = z.strictObject({ file: z.string().default("roadmap.json") });
type Input = z.infer<typeof Input>;

export const roadmap = definePipeline<Input>(
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
    const { phase, see, within } = verbs;
    phase("Select");
    let tree: Tree = await see("head");
    for (let iteration = 1; ; iteration += 1) {
      const over = await within(`iteration-${iteration}`, async () => {
        phase("Select");
        const chosen = await choose(verbs);
        if ("end" in chosen) return chosen.end;
        const { item, state } = chosen;
        const result = await runItem(verbs, { item, learnings: state.learnings, base: tree });
        phase("Record");
        if ("block" in result) return block(verbs, chosen, result);
        tree = result.tree;
        return finish(verbs, chosen, result);
      });
      if (over) return over;
    }
  },
);

type Chosen = { readonly item: Item; readonly state: Roadmap; readonly hash: string };

/** Reads the file, picks the item and writes `in_progress` before anybody is dispatched for it. */
async function choose({ input, see, write, note }: Verbs<Input>): Promise<Chosen | { readonly end: End }> {
  const seen = await see("file", { path: input.file });
  if (!seen) return { end: { status: "error", reason: `${input.file} is missing` } };
  const read = readRoadmap(seen.text);
  if (!read.ok) return { end: { status: "error", reason: `${input.file} is invalid: ${read.errors.join("; ")}` } };
  const next = select(read.roadmap);
  if (next.kind === "complete") return { end: { status: "done", reason: "COMPLETE" } };
  if (next.kind === "stalled") return { end: { status: "stalled", reason: next.reasons.join("; ") } };
  const { item } = next;
  if (item.status === "in_progress") await note({ again: `item ${item.id} was left in progress by an earlier run` });
  const state = mark(read.roadmap, { id: item.id, status: "in_progress" });
  const { hash } = await write(input.file, render(state), { to: "checkout", ifHash: seen.hash });
  return { item, state, hash };
}

type Blocked = Extract<ItemResult, { block: unknown }>;
type Done = Exclude<ItemResult, Blocked>;

/** Persisted first, then reported: the run ends here and a person decides. */
async function block(verbs: Verbs<Input>, { item, state, hash }: Chosen, result: Blocked): Promise<End> {
  const { block, learnings, gates } = result;
  const next = mark(state, { id: item.id, status: "blocked", block, learnings });
  await verbs.write(verbs.input.file, render(next), { to: "checkout", ifHash: hash });
  await verbs.note({ iteration: reportOf(item, { gates, state: next }) });
  const { blockedBy, blockedCategory, blockedReason } = block;
  const reason = `item ${item.id} "${item.title}": ${blockedBy}: ${blockedCategory}: ${blockedReason}`;
  return { status: "blocked", reason, report: { item: item.id, ...block } };
}

async function finish(verbs: Verbs<Input>, { item, state, hash }: Chosen, result: Done): Promise<End | undefined> {
  const { input, write, note, commit, ask } = verbs;
  const next = mark(state, { id: item.id, status: "done", learnings: result.learnings });
  await commit(result.tree, { message: `${item.title}\n\nItem: ${item.id}`, because: result.because });
  await write(input.file, render(next), { to: "checkout", ifHash: hash });
  const report = reportOf(item, { gates: result.gates, state: next });
  await note({ iteration: report });
  if (select(next).kind !== "item") return undefined;
  const title = `Item ${item.id} is done. Go on with the next one?`;
  const answer = await ask({ title, show: report, choices: ["continue", "stop"], auto: "continue" });
  return answer.choice === "stop" ? { status: "done", reason: `stopped after item ${item.id}` } : undefined;
}

function reportOf(item: Item, { gates, state }: { gates: readonly string[]; state: Roadmap }) {
  const next = select(state);
  return {
    selected: `${item.id} ${item.title}`,
    gates: [...gates],
    state: state.items.find((each) => each.id === item.id)?.status ?? "",
    next:
      next.kind === "item" ? `${next.item.id} ${next.item.title}` : next.kind === "complete" ? "COMPLETE" : "STALLED",
  };
}
