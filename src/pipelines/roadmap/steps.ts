import type { Decision } from "../../core/authoring/decision.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import type { Role } from "../../core/authoring/role.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Evidence, Verbs } from "../../core/authoring/verbs.ts";
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
  /** Steps whose answers of the run before were taken: only the form of a later one had been wrong. */
  readonly kept: readonly Step[];
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
    | {
        readonly block: Block;
        readonly tree?: Tree;
        readonly found: readonly Finding[];
        /** Of the steps that had passed. */
        readonly answers: Answers;
      }
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

export type Answers = Readonly<Record<string, Contract>>;

type Returning<C> = {
  readonly contract: C;
  /** The tree as it left it, and what of its changes was taken and what not. */
  readonly left: { readonly after: Tree; readonly changed: readonly string[]; readonly outside: readonly string[] };
};

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
    kept: [] as Step[],
    gates: [] as string[],
    signatures: [] as string[],
    findings: [] as Finding[],
    seen: undefined as string | undefined,
    accepted: [] as string[],
    notRun: [] as string[],
    outputs: {} as Record<string, Json>,
  };
  const decisions: Decision[] = [];
  const answers: Record<string, Contract> = {};
  let block: Block | undefined;
  let left: Tree | undefined = earlier?.tree;
  let found: readonly Finding[] = [];

  const dispatch = async <C extends Contract, W extends boolean>(
    asked: Dispatch<C, W>,
  ): Promise<Returning<C> | undefined> => {
    const { step, role, tree, prior, writes } = asked;
    phase(PHASES[step]);
    const known = earlier?.answers[step];
    if (known) {
      account.kept.push(step);
      // It was read by this step's own role.
      return { contract: known as C, left: { after: tree, changed: [], outside: [] } };
    }
    const person = note === undefined ? {} : { note };
    const before = earlier ? { earlier: withoutSignatures(earlier.told) } : {};
    const told = { learnings: withoutSignatures(learnings), ...announced(item), ...person, ...before };
    const input = { item: contextOf(item), ...told, ...prior };
    const about = { as: step, in: tree, task: String(item.id), ...(writes ? { writes } : {}) };
    const outcome = await attempt(role, input, about);
    account.dispatched.push(step);
    account.signatures.push(`${step}: ${signatureSeen(role.signed, outcome.ok ? undefined : outcome.failure)}`);
    if (outcome.ok) {
      const contract = withoutSignatures<C>(outcome.value);
      account.learnings.push(...contract.learnings);
      const work = workIn(outcome.value);
      left = work?.after ?? left;
      return { contract, left: work ?? { after: tree, changed: [], outside: [] } };
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
    if (decision.passed) answers[step] = returned.contract;
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
      return { ...account, block: blockBefore(step, reason), found, answers };
    },
    blocked(): ItemResult {
      // Every way to it has set the block; without one something is wrong here, and nobody may take that for done.
      const why = block ?? blockBefore("Implement", "no step says why");
      return { ...account, block: why, found, answers, ...(left ? { tree: left } : {}) };
    },
    done(tree: Tree, made: { readonly adrPath?: string; readonly design?: string } = {}): ItemResult {
      return { ...account, ...made, tree, because: decisions.filter((decision) => decision.tree === tree.tree) };
    },
  };
}

/** Who writes leaves a tree; who only reads leaves none. */
const workIn = (answer: object): Returning<unknown>["left"] | undefined =>
  // Only the answer of a role that writes has the field, and it has the others too.
  "after" in answer ? (answer as Returning<unknown>["left"]) : undefined;

/** Tests that say the old thing may change, and only these: everybody who reads or writes tests is told. */
const announced = ({ announces }: Item) => (announces?.length ? { announced: announces } : {});

/** Values are compared by the engine and written nowhere. */
function signatureSeen(signed: boolean, failure: Failure | undefined): string {
  if (!signed) return "unsigned";
  if (!failure) return "matches";
  if (failure.code === "signature_missing") return "missing";
  return failure.code === "signature_mismatch" ? "another value" : "not seen";
}
