import type { Decision } from "../../core/decision.ts";
import type { Role } from "../../core/role.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { adrPathOf, type Contract } from "./contracts.ts";
import type { Item, Learning } from "./roadmap.ts";
import { categoryOf, categoryOfFailure, PASS, type Returned, reasonOfFailure, type Step } from "./rules.ts";

export type Block = {
  readonly blockedReason: string;
  readonly blockedBy: string;
  readonly blockedAt: string;
  readonly blockedCategory: string;
};
export type ItemResult = {
  readonly learnings: readonly string[];
  readonly gates: readonly string[];
} & ({ readonly block: Block } | { readonly tree: Tree; readonly because: readonly Decision[] });

export type Start = { readonly item: Item; readonly learnings: readonly Learning[]; readonly base: Tree };

type At<C extends Contract, W extends boolean> = {
  readonly step: Step;
  readonly role: Role<unknown, C, W>;
  readonly tree: Tree;
  readonly writes?: readonly string[];
};

/** Dispatches and judges the steps of one item and remembers what they gave. */
export function stepsOf({ attempt, gate, see }: Verbs<unknown>, { item, learnings }: Start) {
  const context = {
    id: item.id,
    title: item.title,
    complexity: item.complexity,
    acceptanceCriteria: item.acceptanceCriteria,
    verification: item.verification,
    dependencies: item.dependencies,
  };
  const learned: string[] = [];
  const gates: string[] = [];
  const passed: Decision[] = [];
  let block: Block | undefined;

  const dispatch = async <C extends Contract, W extends boolean>(at: At<C, W>, prior: object) => {
    const { step, role, tree, writes } = at;
    const input = { item: context, learnings, ...prior };
    const answer = await attempt(role, input, { as: step, in: tree, task: String(item.id), ...(writes && { writes }) });
    if (answer.ok) return answer.value;
    const { failure } = answer;
    block = blockAt(step, categoryOfFailure(failure), reasonOfFailure(failure));
    gates.push(`${step}: fail`);
    return undefined;
  };

  const judge = async (step: Step, about: Omit<Returned, "step"> & { tree: Tree }): Promise<boolean> => {
    const { tree, ...rest } = about;
    const returned = { step, ...rest };
    learned.push(...returned.contract.learnings);
    const decision = await gate(`${step} passed`, [PASS], { tree: tree.tree, returned });
    gates.push(`${step}: ${decision.passed ? "pass" : "fail"}`);
    if (decision.passed) passed.push(decision);
    else block = blockAt(step, categoryOf(returned), decision.findings[0]?.message ?? step);
    return decision.passed;
  };

  const run = async <C extends Contract, W extends boolean>(at: At<C, W>, prior: object) => {
    const answer = await dispatch(at, prior);
    if (!answer) return undefined;
    // Only roles that write have it; the others leave the tree as it was.
    const after = (answer as { after?: Tree }).after ?? at.tree;
    const adr = at.step === "Architect (design)" ? adrPathOf(answer) : undefined;
    const adrExists = adr !== undefined && (await see("file", { path: adr, in: after })) !== null;
    return (await judge(at.step, { contract: answer, tree: after, adrExists })) ? answer : undefined;
  };

  const blocked = (): ItemResult => ({
    learnings: learned,
    gates,
    block: block ?? blockAt("Implement", "agent_blocked", ""),
  });
  const refuse = (step: Step, reason: string): ItemResult => {
    block = blockAt(step, "agent_blocked", reason);
    return blocked();
  };
  const done = (tree: Tree): ItemResult => ({
    learnings: learned,
    gates,
    tree,
    because: passed.filter((decision) => decision.tree === tree.tree),
  });
  return { run, dispatch, judge, blocked, refuse, done };
}

export type Steps = ReturnType<typeof stepsOf>;

function blockAt(step: Step, blockedCategory: string, blockedReason: string): Block {
  return { blockedReason, blockedBy: step.split(" ")[0] ?? step, blockedAt: step, blockedCategory };
}
