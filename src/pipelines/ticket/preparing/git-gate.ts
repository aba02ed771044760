import type { Tree } from "../../../core/authoring/tree.ts";
import { integrate } from "../../integrate.ts";
import type { TicketContext } from "../context.ts";
import { isBook, isDocument } from "../files/documents.ts";
import { filesOf } from "./tasks-file.ts";

/** Where the code of the ticket goes: the tree to go on with, and the commit that it is a change of. */
export type TicketBase = { readonly tree: Tree; readonly base: Tree; readonly parent?: string };

const LEAVE = "leave them";
const CARRY = "carry them";
const ABORT = "abort";
const LEADS = {
  [LEAVE]: "the work begins without them, and they stay as they are",
  [CARRY]: "they become part of the work",
  [ABORT]: "the run ends here",
};

/**
 * Step O4.5: no code is written before it is clear what happens to changes that are not committed, and onto what.
 * `tree` is HEAD with documents that were refreshed meanwhile.
 */
export async function gitGate(context: TicketContext, tree: Tree): Promise<TicketBase> {
  const { ticketFiles } = context;
  const before = ticketFiles.progress().git_gate_completed;
  if (!before) await ticketFiles.at("O4.5", {}, "git.gate.start");
  const paths = await dirtToCarry(context);
  const ground = await groundOf(context);
  const carried = await carry(context, { ground, tree, paths });
  if (!before) await ticketFiles.save({ git_gate_completed: true }, "git.gate.complete");
  return { ...ground, tree: carried };
}

/**
 * Documents come along by themselves, and so does a resumed ticket's own work; the rest is for a person to say.
 * @rule T-13 (policy) No code before the gate: uncommitted documents come along, other changes are asked about.
 */
async function dirtToCarry(context: TicketContext): Promise<readonly string[]> {
  const { see, ask, halt } = context;
  const { dirt, operation } = await see("checkout");
  if (operation) return halt(`a ${operation} is under way in the checkout: finish it first`);
  const theirs = dirt.filter((path) => !isBook(path));
  const code = theirs.filter((path) => !isDocument(path) && !ownWork(context).includes(path));
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
  return theirs.filter((path) => choice === CARRY || (ownWork(context).includes(path) && !isDocument(path)));
}

/** A ticket that was begun in the checkout itself, on its branch, has left its work there. */
function ownWork({ ticketFiles, head, resumed }: TicketContext): readonly string[] {
  const { git_gate_completed, branch } = ticketFiles.progress();
  if (!git_gate_completed || head.branch !== branch) return [];
  return (resumed?.tasks?.tasks ?? []).flatMap(filesOf);
}

/** A branch of the ticket's name is used only if it is this ticket's own: then the work goes on from its tip. */
async function groundOf({
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
  if (!isOwn(branch.subjects, jira))
    return halt(`the branch ${name} exists and is not this ticket's: rename it, or delete it`);
  return { base: { tree: branch.tree }, parent: branch.commit };
}

/**
 * Every commit that it has of its own names the ticket; with none of its own it is nobody's.
 * @rule T-52 (gate) Abort changes nothing; a branch of the ticket's name is used only when it is the ticket's.
 */
export function isOwn(subjects: readonly string[], jira: string): boolean {
  return subjects.every((subject) => new RegExp(`\\b${jira}\\b`).test(subject));
}

type Load = { readonly ground: Pick<TicketBase, "base">; readonly tree: Tree; readonly paths: readonly string[] };

/** What a person wrote comes before what was refreshed: documents that clash with it are left out. */
async function carry(context: TicketContext, { ground, tree, paths }: Load): Promise<Tree> {
  const { head } = context;
  const works = [
    { id: "branch", after: ground.base },
    ...(paths.length > 0 ? [{ id: "uncommitted", after: await dirtAsTree(context, paths) }] : []),
    { id: "documents", after: tree },
  ].filter(({ after }) => after.tree !== head.tree);
  if (works.length === 0) return { tree: head.tree };
  const merged = await integrate(context, { tree: head.tree }, works);
  if (merged.conflicts.some(({ id }) => id === "uncommitted"))
    return context.halt("the uncommitted changes do not fit onto the ticket's branch: commit them first");
  return merged.tree;
}

/** Dirt is a change of HEAD: had it moved since the start, what came with it would be carried as well. */
async function dirtAsTree({ see, head, halt }: TicketContext, paths: readonly string[]): Promise<Tree> {
  const now = await see("head");
  if (now.commit !== head.commit || now.moved !== undefined)
    return halt("HEAD has moved since the run began: commit or stash, and start again");
  return see("dirt", { paths });
}
