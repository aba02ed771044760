import type { Decision } from "../../core/authoring/decision.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import type { Role } from "../../core/authoring/role.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Evidence, Verbs } from "../../core/authoring/verbs.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { Json } from "../../core/text/json.ts";
import { formatCommandEvidence } from "../evidence-line.ts";
import type { Item, Learning } from "./choosing/roadmap.ts";
import type { Contract } from "./contracts.ts";
import type { EarlierWork } from "./item/earlier-work.ts";
import { getItemContext } from "./item/item-context.ts";
import { type ItemStep, PHASES } from "./item/route.ts";
import { createDecisionBlock, createEarlyBlock, createFailureBlock, type ItemBlock } from "./recording/block.ts";
import { hideSignatures } from "./recording/signatures.ts";
import { GATES, type StepResult } from "./rules.ts";

/** Results of an item's steps, in order; source of the report and the roadmap update. */
export type ItemAccount = {
  readonly learnings: readonly string[];
  readonly dispatched: readonly ItemStep[];
  /** Steps whose answers come from the run before, because only the form of a later answer was wrong. */
  readonly kept: readonly ItemStep[];
  readonly gates: readonly string[];
  readonly signatures: readonly string[];
  readonly findings: readonly Finding[];
  /** Check results for the tree judged last. */
  readonly seen: string | undefined;
  /** Findings that a person accepted, with the name. */
  readonly accepted: readonly string[];
  /** Checks of the item that are not configured commands. */
  readonly notRun: readonly string[];
  /** Forwarded contract fields by step. */
  readonly outputs: Readonly<Record<string, Json>>;
};
export type ItemResult = ItemAccount &
  /** `tree` is the last tree of this item, `found` the findings against it. */
  (
    | {
        readonly block: ItemBlock;
        readonly tree?: Tree;
        readonly found: readonly Finding[];
        /** Contracts of the steps that passed. */
        readonly answers: StepAnswers;
      }
    | {
        readonly tree: Tree;
        readonly because: readonly Decision[];
        /** Set for an item that consists of a design. */
        readonly adrPath?: string;
        /** The ADR that the item was built from. */
        readonly design?: string;
      }
  );

type StepDispatch<C extends Contract, W extends boolean> = {
  readonly step: ItemStep;
  readonly role: Role<unknown, C, W>;
  readonly tree: Tree;
  /** Prior outputs that the dispatch table names for this agent. */
  readonly prior: object;
  readonly writes?: readonly string[];
};

export type StepAnswers = Readonly<Record<string, Contract>>;

type StepAnswer<C> = {
  readonly contract: C;
  /** The tree after the step, and which of its changes were taken or discarded. */
  readonly left: { readonly after: Tree; readonly changed: readonly string[]; readonly outside: readonly string[] };
};

export type Steps = ReturnType<typeof createSteps>;

type StepsInput = {
  readonly item: Item;
  readonly learnings: readonly Learning[];
  readonly earlier: EarlierWork | undefined;
  readonly note?: string | undefined;
};

/** Dispatches and judges the steps of one item and records their results. */
export function createSteps({ attempt, gate, phase }: Verbs<unknown>, { item, learnings, earlier, note }: StepsInput) {
  const account = {
    learnings: [] as string[],
    dispatched: [] as ItemStep[],
    kept: [] as ItemStep[],
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
  let block: ItemBlock | undefined;
  let left: Tree | undefined = earlier?.tree;
  let found: readonly Finding[] = [];

  const dispatch = async <C extends Contract, W extends boolean>(
    request: StepDispatch<C, W>,
  ): Promise<StepAnswer<C> | undefined> => {
    const { step, role, tree, prior, writes } = request;
    phase(PHASES[step]);
    const known = earlier?.answers[step];
    if (known) {
      account.kept.push(step);
      // This step's own role parsed it before.
      return { contract: known as C, left: { after: tree, changed: [], outside: [] } };
    }
    const person = note === undefined ? {} : { note };
    const before = earlier ? { earlier: hideSignatures(earlier.input) } : {};
    const shared = { learnings: hideSignatures(learnings), ...getAnnounced(item), ...person, ...before };
    const input = { item: getItemContext(item), ...shared, ...prior };
    const about = { as: step, in: tree, task: String(item.id), ...(writes ? { writes } : {}) };
    const outcome = await attempt(role, input, about);
    account.dispatched.push(step);
    account.signatures.push(`${step}: ${describeSignature(role.signed, outcome.ok ? undefined : outcome.failure)}`);
    if (outcome.ok) {
      const contract = hideSignatures<C>(outcome.value);
      account.learnings.push(...contract.learnings);
      const work = getWork(outcome.value);
      left = work?.after ?? left;
      return { contract, left: work ?? { after: tree, changed: [], outside: [] } };
    }
    block = createFailureBlock(step, outcome.failure);
    account.gates.push(`${step}: fail`);
    return undefined;
  };

  /** Returns whether the step passed; `tree` is the tree that the decision is about. */
  const judge = async (returned: StepResult, tree: Tree): Promise<boolean> => {
    const { step } = returned;
    const decision = await gate(`answer of ${step}`, GATES[step], { tree: tree.tree, returned });
    account.gates.push(`${step}: ${decision.passed ? "pass" : "fail"}`);
    account.findings.push(...decision.findings);
    if (decision.passed) decisions.push(decision);
    if (decision.passed) answers[step] = returned.contract;
    else block = createDecisionBlock(returned, decision);
    if (!decision.passed) found = hideSignatures(decision.findings);
    return decision.passed;
  };

  return {
    dispatch,
    judge,
    recordOutput(step: ItemStep, output: Json) {
      account.outputs[step] = output;
    },
    recordEvidence(evidence: Evidence) {
      account.seen = formatCommandEvidence(evidence);
    },
    recordAcceptance(what: string, by: string) {
      account.accepted.push(`${what} accepted by ${by}`);
    },
    recordNotRun(notRun: readonly string[]) {
      account.notRun.push(...notRun);
    },
    refuse(step: ItemStep, reason: string): ItemResult {
      return { ...account, block: createEarlyBlock(step, reason), found, answers };
    },
    blocked(): ItemResult {
      // Every path to this point sets the block; the fallback makes sure that a bug cannot turn into `done`.
      const why = block ?? createEarlyBlock("Implement", "no step gave a reason");
      return { ...account, block: why, found, answers, ...(left ? { tree: left } : {}) };
    },
    done(tree: Tree, made: { readonly adrPath?: string; readonly design?: string } = {}): ItemResult {
      return { ...account, ...made, tree, because: decisions.filter((decision) => decision.tree === tree.tree) };
    },
  };
}

/** A role that writes leaves a tree; a read-only role leaves none. */
const getWork = (answer: object): StepAnswer<unknown>["left"] | undefined =>
  // Answers of roles that write have this field, and they have the others too.
  "after" in answer ? (answer as StepAnswer<unknown>["left"]) : undefined;

/** Tests of the old behaviour that may change; given to every agent that reads or writes tests. */
const getAnnounced = ({ announces }: Item) => (announces?.length ? { announced: announces } : {});

/** Describes the signature check without the value. */
function describeSignature(signed: boolean, failure: Failure | undefined): string {
  if (!signed) return "unsigned";
  if (!failure) return "matches";
  if (failure.code === "signature_missing") return "missing";
  return failure.code === "signature_mismatch" ? "another value" : "not seen";
}
