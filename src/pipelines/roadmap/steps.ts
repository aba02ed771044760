import type { Decision } from "../../core/authoring/decision.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import type { Role } from "../../core/authoring/role.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Answer, Evidence, Verbs } from "../../core/authoring/verbs.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { Json } from "../../core/text/json.ts";
import { checksLine } from "../evidence-line.ts";
import type { Item, Learning } from "./choosing/roadmap.ts";
import type { Contract } from "./contracts.ts";
import type { EarlierWork } from "./item/earlier-work.ts";
import { contextOf } from "./item/item-context.ts";
import { PHASES, type Step } from "./item/route.ts";
import { type Block, blockBefore, blockOfDecision, blockOfFailure } from "./recording/blocking.ts";
import { withoutSignatures } from "./recording/signatures.ts";
import { GATES, type StepResult } from "./rules.ts";

/** What the steps of one item gave, in order: what the report and the roadmap are written from. */
export type Account = {
  readonly learnings: readonly string[];
  readonly dispatched: readonly Step[];
  readonly gates: readonly string[];
  readonly signatures: readonly string[];
  readonly findings: readonly Finding[];
  /** What the engine saw on the tree that was judged last. */
  readonly seen: string | undefined;
  /** What a person let through, and who. */
  readonly accepted: readonly string[];
  /** Checks of the item that are no commands of the configuration. */
  readonly notRun: readonly string[];
  /** By step: what is kept of its contract. */
  readonly outputs: Readonly<Record<string, Json>>;
};
export type ItemResult = Account &
  /** `tree` is the last that anybody of this item left, `found` what speaks against it. */
  (
    | { readonly block: Block; readonly tree?: Tree; readonly found: readonly Finding[] }
    | {
        readonly tree: Tree;
        readonly because: readonly Decision[];
        /** Of a design that is the whole item. */
        readonly adrPath?: string;
        /** The decision that the item was built by. */
        readonly design?: string;
      }
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

type About = {
  readonly item: Item;
  readonly learnings: readonly Learning[];
  readonly earlier: EarlierWork | undefined;
  readonly note?: string | undefined;
};

/** Dispatches and judges the steps of one item and keeps the account of them. */
export function stepsOf({ attempt, gate, phase }: Verbs<unknown>, { item, learnings, earlier, note }: About) {
  const account = {
    learnings: [] as string[],
    dispatched: [] as Step[],
    gates: [] as string[],
    signatures: [] as string[],
    findings: [] as Finding[],
    seen: undefined as string | undefined,
    accepted: [] as string[],
    notRun: [] as string[],
    outputs: {} as Record<string, Json>,
  };
  const decisions: Decision[] = [];
  let block: Block | undefined;
  let left: Tree | undefined = earlier?.tree;
  let found: readonly Finding[] = [];

  const dispatch = async <C extends Contract, W extends boolean>(
    asked: Dispatch<C, W>,
  ): Promise<Returning<C, W> | undefined> => {
    const { step, role, tree, prior, writes } = asked;
    phase(PHASES[step]);
    const person = note === undefined ? {} : { note };
    const before = earlier ? { earlier: withoutSignatures(earlier.told) } : {};
    const known = { learnings: withoutSignatures(learnings), ...announced(item), ...person, ...before };
    const input = { item: contextOf(item), ...known, ...prior };
    const about = { as: step, in: tree, task: String(item.id), ...(writes ? { writes } : {}) };
    const outcome = await attempt(role, input, about);
    account.dispatched.push(step);
    account.signatures.push(`${step}: ${signatureSeen(role.signed, outcome.ok ? undefined : outcome.failure)}`);
    if (outcome.ok) {
      const contract = withoutSignatures<C>(outcome.value);
      account.learnings.push(...contract.learnings);
      left = treeIn(outcome.value) ?? left;
      return { contract, answer: outcome.value };
    }
    block = blockOfFailure(step, outcome.failure);
    account.gates.push(`${step}: fail`);
    return undefined;
  };

  /** True when the step passed; the tree is the one that its decision speaks of. */
  const judge = async (returned: StepResult, tree: Tree): Promise<boolean> => {
    const { step } = returned;
    const decision = await gate(`answer of ${step}`, GATES[step], { tree: tree.tree, returned });
    account.gates.push(`${step}: ${decision.passed ? "pass" : "fail"}`);
    account.findings.push(...decision.findings);
    if (decision.passed) decisions.push(decision);
    else block = blockOfDecision(returned, decision);
    if (!decision.passed) found = withoutSignatures(decision.findings);
    return decision.passed;
  };

  return {
    dispatch,
    judge,
    keep(step: Step, output: Json) {
      account.outputs[step] = output;
    },
    saw(evidence: Evidence) {
      account.seen = checksLine(evidence);
    },
    accept(what: string, by: string) {
      account.accepted.push(`${what} accepted by ${by}`);
    },
    leave(notRun: readonly string[]) {
      account.notRun.push(...notRun);
    },
    refuse(step: Step, reason: string): ItemResult {
      return { ...account, block: blockBefore(step, reason), found };
    },
    blocked(): ItemResult {
      // Every way to it has set the block; without one something is wrong here, and nobody may take that for done.
      const why = block ?? blockBefore("Implement", "no step says why");
      return { ...account, block: why, found, ...(left ? { tree: left } : {}) };
    },
    done(tree: Tree, made: { readonly adrPath?: string; readonly design?: string } = {}): ItemResult {
      return { ...account, ...made, tree, because: decisions.filter((decision) => decision.tree === tree.tree) };
    },
  };
}

/** Who writes leaves a tree; who only reads leaves none. */
function treeIn(answer: object): Tree | undefined {
  return "after" in answer ? (answer.after as Tree) : undefined;
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
