import type { Tree } from "../../core/tree.ts";
import { integrate } from "../integrate.ts";
import type { Desk } from "./desk.ts";
import { isBook, isDocument } from "./documents.ts";
import { filesOf } from "./tasks-file.ts";

/** Where the code of the ticket goes: the tree to go on with, and the commit that it is a change of. */
export type Ground = { readonly tree: Tree; readonly base: Tree; readonly parent?: string };

const LEAVE = "leave them";
const CARRY = "carry them";
const ABORT = "abort";

/**
 * Step O4.5: no code is written before it is clear what happens to changes that are not committed, and onto what.
 * `tree` is HEAD with documents that were refreshed meanwhile.
 */
export async function gitGate(desk: Desk, tree: Tree): Promise<Ground> {
  const { book } = desk;
  const before = book.progress().git_gate_completed;
  if (!before) await book.at("O4.5", {}, "git.gate.start");
  const paths = await dirtToCarry(desk);
  const ground = await groundOf(desk);
  const carried = await carry(desk, { ground, tree, paths });
  if (!before) await book.save({ git_gate_completed: true }, "git.gate.complete");
  return { ...ground, tree: carried };
}

/** Documents come along by themselves, and so does a resumed ticket's own work; the rest is for a person to say. */
async function dirtToCarry(desk: Desk): Promise<readonly string[]> {
  const { see, ask, halt } = desk;
  const { dirt, operation } = await see("checkout");
  if (operation) return halt(`a ${operation} is under way in the checkout: finish it first`);
  const theirs = dirt.filter((path) => !isBook(path));
  const code = theirs.filter((path) => !isDocument(path) && !ownWork(desk).includes(path));
  if (code.length === 0) return theirs;
  const title = "There are uncommitted changes. What becomes of them?";
  const { choice } = await ask({ title, show: code, choices: [LEAVE, CARRY, ABORT], auto: "never" });
  if (choice === ABORT) return halt("aborted at the git gate: there are uncommitted changes");
  return theirs.filter((path) => choice === CARRY || (ownWork(desk).includes(path) && !isDocument(path)));
}

/** A ticket that was begun in the checkout itself, on its branch, has left its work there. */
function ownWork({ book, head, resumed }: Desk): readonly string[] {
  const { git_gate_completed, branch } = book.progress();
  if (!git_gate_completed || head.branch !== branch) return [];
  return (resumed?.tasks?.tasks ?? []).flatMap(filesOf);
}

/** A branch of the ticket's name is used only if it is this ticket's own: then the work goes on from its tip. */
async function groundOf({ see, book, head, jira, halt }: Desk): Promise<Pick<Ground, "base" | "parent">> {
  const { branch: name } = book.progress();
  if (head.branch === name) return { base: head };
  const branch = await see("branch", { name });
  if (branch === null) return { base: head };
  if (!isOwn(branch.subjects, jira))
    return halt(`the branch ${name} exists and is not this ticket's: rename it, or delete it`);
  return { base: { tree: branch.tree }, parent: branch.commit };
}

/** Every commit that it has of its own names the ticket; with none of its own it is nobody's. */
export function isOwn(subjects: readonly string[], jira: string): boolean {
  return subjects.every((subject) => new RegExp(`\\b${jira}\\b`).test(subject));
}

type Load = { readonly ground: Pick<Ground, "base">; readonly tree: Tree; readonly paths: readonly string[] };

/** What a person wrote comes before what was refreshed: documents that clash with it are left out. */
async function carry(desk: Desk, { ground, tree, paths }: Load): Promise<Tree> {
  const { head } = desk;
  const works = [
    { id: "branch", after: ground.base },
    ...(paths.length > 0 ? [{ id: "uncommitted", after: await dirtAsTree(desk, paths) }] : []),
    { id: "documents", after: tree },
  ].filter(({ after }) => after.tree !== head.tree);
  if (works.length === 0) return { tree: head.tree };
  const merged = await integrate(desk, { tree: head.tree }, works);
  if (merged.conflicts.some(({ id }) => id === "uncommitted"))
    return desk.halt("the uncommitted changes do not fit onto the ticket's branch: commit them first");
  return merged.tree;
}

/** Dirt is a change of HEAD: had it moved since the start, what came with it would be carried as well. */
async function dirtAsTree({ see, head, halt }: Desk, paths: readonly string[]): Promise<Tree> {
  const now = await see("head");
  if (now.commit !== head.commit) return halt("HEAD has moved since the run began: commit or stash, and start again");
  return see("dirt", { paths });
}
