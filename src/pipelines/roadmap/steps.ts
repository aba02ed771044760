import type { Decision } from "../../core/decision.ts";
import type { Failure } from "../../core/failure.ts";
import type { Finding } from "../../core/finding.ts";
import type { Json } from "../../core/json.ts";
import type { Role } from "../../core/role.ts";
import type { Tree } from "../../core/tree.ts";
import type { Answer, Verbs } from "../../core/verbs.ts";
import { type Block, blockBefore, blockOfDecision, blockOfFailure } from "./blocking.ts";
import type { Contract } from "./contracts.ts";
import { contextOf } from "./forward.ts";
import type { Item, Learning } from "./roadmap.ts";
import { PHASES, type Step } from "./route.ts";
import { GATES, type Returned } from "./rules.ts";
import { withoutSignatures } from "./signatures.ts";

/** What the steps of one item gave, in order: what the report and the roadmap are written from. */
export type Account = {
  readonly learnings: readonly string[];
  readonly dispatched: readonly Step[];
  readonly gates: readonly string[];
  readonly signatures: readonly string[];
  readonly findings: readonly Finding[];
  /** Checks of the item that are no commands of the configuration. */
  readonly notRun: readonly string[];
  /** By step: what is kept of its contract. */
  readonly outputs: Readonly<Record<string, Json>>;
};
export type ItemResult = Account &
  (
    | { readonly block: Block }
    | { readonly tree: Tree; readonly because: readonly Decision[]; readonly adrPath?: string }
  );

type Dispatch<C extends Contract, W extends boolean> = {
  readonly step: Step;
  readonly role: Role<unknown, C, W>;
  readonly tree: Tree;
  /** Exactly what the dispatch table names for this agent. */
  readonly prior: object;
  readonly writes?: readonly string[];
};

export type Returning<C, W extends boolean> = { readonly contract: C; readonly answer: Answer<C, W> };

export type Steps = ReturnType<typeof stepsOf>;

/** Dispatches and judges the steps of one item and keeps the account of them. */
export function stepsOf(
  { attempt, gate, phase }: Verbs<unknown>,
  { item, learnings }: { readonly item: Item; readonly learnings: readonly Learning[] },
) {
  const account = {
    learnings: [] as string[],
    dispatched: [] as Step[],
    gates: [] as string[],
    signatures: [] as string[],
    findings: [] as Finding[],
    notRun: [] as string[],
    outputs: {} as Record<string, Json>,
  };
  const decisions: Decision[] = [];
  let block: Block | undefined;

  const dispatch = async <C extends Contract, W extends boolean>(
    asked: Dispatch<C, W>,
  ): Promise<Returning<C, W> | undefined> => {
    const { step, role, tree, prior, writes } = asked;
    phase(PHASES[step]);
    const input = { item: contextOf(item), learnings: withoutSignatures(learnings), ...announced(item), ...prior };
    const about = { as: step, in: tree, task: String(item.id), ...(writes ? { writes } : {}) };
    const outcome = await attempt(role, input, about);
    account.dispatched.push(step);
    account.signatures.push(`${step}: ${signatureSeen(role.signed, outcome.ok ? undefined : outcome.failure)}`);
    if (outcome.ok) {
      const contract = withoutSignatures<C>(outcome.value);
      account.learnings.push(...contract.learnings);
      return { contract, answer: outcome.value };
    }
    block = blockOfFailure(step, outcome.failure);
    account.gates.push(`${step}: fail`);
    return undefined;
  };

  /** True when the step passed; the tree is the one that its decision speaks of. */
  const judge = async (returned: Returned, tree: Tree): Promise<boolean> => {
    const { step } = returned;
    const decision = await gate(`answer of ${step}`, GATES[step], { tree: tree.tree, returned });
    account.gates.push(`${step}: ${decision.passed ? "pass" : "fail"}`);
    account.findings.push(...decision.findings);
    if (decision.passed) decisions.push(decision);
    else block = blockOfDecision(returned, decision);
    return decision.passed;
  };

  return {
    dispatch,
    judge,
    keep(step: Step, output: Json) {
      account.outputs[step] = output;
    },
    leave(notRun: readonly string[]) {
      account.notRun.push(...notRun);
    },
    refuse(step: Step, reason: string): ItemResult {
      return { ...account, block: blockBefore(step, reason) };
    },
    blocked(): ItemResult {
      // Every way to it has set the block; without one something is wrong here, and nobody may take that for done.
      return { ...account, block: block ?? blockBefore("Implement", "no step says why") };
    },
    done(tree: Tree, made: { readonly adrPath?: string } = {}): ItemResult {
      return { ...account, ...made, tree, because: decisions.filter((decision) => decision.tree === tree.tree) };
    },
  };
}

/** Tests that say the old thing may change, and only these: everybody who reads or writes tests is told. */
const announced = ({ announces }: Item) => (announces?.length ? { announced: announces } : {});

/** Values are compared by the engine and written nowhere. */
function signatureSeen(signed: boolean, failure: Failure | undefined): string {
  if (!signed) return "unsigned";
  if (!failure) return "matches";
  if (failure.code === "signature_missing") return "missing";
  return failure.code === "signature_mismatch" ? "another value" : "not seen";
}
