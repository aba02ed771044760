import type { Tree } from "../../../core/authoring/tree.ts";
import { mergeContributions } from "../../merge-contributions.ts";
import type { TicketContext } from "../context.ts";
import { isBook, isDocument } from "../files/documents.ts";
import { listTaskFiles } from "./tasks-file.ts";

/** Base of the ticket's code: the tree to continue from, and the commit it is compared with. */
export type TicketBase = { readonly tree: Tree; readonly base: Tree; readonly parent?: string };

const LEAVE = "leave them";
const CARRY = "carry them";
const ABORT = "abort";
const LEADS = {
  [LEAVE]: "start without them; they stay uncommitted",
  [CARRY]: "include them in the work",
  [ABORT]: "end the run",
};

/**
 * Runs step O4.5: decides about uncommitted changes and the branch before any code is written. `tree` is HEAD with
 * refreshed documents.
 */
export async function runGitGate(context: TicketContext, tree: Tree): Promise<TicketBase> {
  const { ticketFiles } = context;
  const before = ticketFiles.progress().git_gate_completed;
  if (!before) await ticketFiles.at("O4.5", {}, "git.gate.start");
  const paths = await selectDirtToCarry(context);
  const ground = await resolveBase(context);
  const carried = await mergeCarried(context, { ground, tree, paths });
  if (!before) await ticketFiles.save({ git_gate_completed: true }, "git.gate.complete");
  return { ...ground, tree: carried };
}

/**
 * Selects the uncommitted files to carry: documents and a resumed ticket's own work; a person decides about the rest.
 * @rule T-13 (policy) The git gate comes before any agent that writes code: uncommitted docs move to the branch, and a
 *   person decides about other changes.
 */
async function selectDirtToCarry(context: TicketContext): Promise<readonly string[]> {
  const { see, ask, halt } = context;
  const { dirt, operation } = await see("checkout");
  if (operation) return halt(`a ${operation} is in progress in the checkout: finish it first`);
  const theirs = dirt.filter((path) => !isBook(path));
  const code = theirs.filter((path) => !isDocument(path) && !listOwnWork(context).includes(path));
  if (code.length === 0) return theirs;
  const title = "There are uncommitted changes. What becomes of them?";
  const { choice } = await ask({
    title,
    show: code,
    choices: [LEAVE, CARRY, ABORT],
    auto: "never",
    paths: code,
    leads: LEADS,
  });
  if (choice === ABORT) return halt("aborted at the git gate: there are uncommitted changes");
  return theirs.filter((path) => choice === CARRY || (listOwnWork(context).includes(path) && !isDocument(path)));
}

/** Lists the work of a ticket that was started in the checkout, on its own branch. */
function listOwnWork({ ticketFiles, head, resumed }: TicketContext): readonly string[] {
  const { git_gate_completed, branch } = ticketFiles.progress();
  if (!git_gate_completed || head.branch !== branch) return [];
  return (resumed?.tasks?.tasks ?? []).flatMap(listTaskFiles);
}

/** Returns the base: the tip of the ticket's own branch if it exists, otherwise HEAD. */
async function resolveBase({
  see,
  ticketFiles,
  head,
  jira,
  halt,
}: TicketContext): Promise<Pick<TicketBase, "base" | "parent">> {
  const { branch: name } = ticketFiles.progress();
  if (head.branch === name) return { base: head };
  const branch = await see("branch", { name });
  if (branch === null) return { base: head };
  if (!isOwnBranch(branch.subjects, jira))
    return halt(`the branch ${name} exists and does not belong to this ticket: rename or delete it`);
  return { base: { tree: branch.tree }, parent: branch.commit };
}

/**
 * Returns whether every commit of the branch names the ticket. A branch without commits of its own qualifies.
 * @rule T-52 (gate) `abort` at the git gate leaves tree, branch and index untouched. A branch that already has the name
 *   is reused only if all of its own commits name this ticket.
 */
export function isOwnBranch(subjects: readonly string[], jira: string): boolean {
  return subjects.every((subject) => new RegExp(`\\b${jira}\\b`).test(subject));
}

type CarryOrder = { readonly ground: Pick<TicketBase, "base">; readonly tree: Tree; readonly paths: readonly string[] };

/**
 * Merges the branch, uncommitted changes and refreshed documents. Documents that conflict with a person's changes are
 * left out.
 */
async function mergeCarried(context: TicketContext, { ground, tree, paths }: CarryOrder): Promise<Tree> {
  const { head } = context;
  const works = [
    { id: "branch", after: ground.base },
    ...(paths.length > 0 ? [{ id: "uncommitted", after: await readDirtTree(context, paths) }] : []),
    { id: "documents", after: tree },
  ].filter(({ after }) => after.tree !== head.tree);
  if (works.length === 0) return { tree: head.tree };
  const merged = await mergeContributions(context, { tree: head.tree }, works);
  if (merged.conflicts.some(({ id }) => id === "uncommitted"))
    return context.halt("the uncommitted changes conflict with the ticket's branch: commit them first");
  return merged.tree;
}

/** Uncommitted changes are relative to HEAD, so a moved HEAD would add unrelated changes. */
async function readDirtTree({ see, head, halt }: TicketContext, paths: readonly string[]): Promise<Tree> {
  const now = await see("head");
  if (now.commit !== head.commit || now.moved !== undefined)
    return halt("HEAD has moved since the run started: commit or stash, then start again");
  return see("dirt", { paths });
}
