import { matchesAny } from "../../core/checks/guard/glob.ts";
import type { CommitRequest, CommitResult, RenderedFile, WithoutRequest } from "../../core/journal/effect.ts";
import type { Workspace } from "../../core/ports/workspace.ts";

/** Commits the checked tree with the files that the engine rendered; process documents go where the team wants them. */
export async function commitWork(workspace: Workspace, run: string, request: CommitRequest): Promise<CommitResult> {
  const { rendered, documents, ...order } = request;
  const whole = await workspace.render(request.tree, rendered);
  if (!documents) return workspace.commit({ ...order, run, tree: whole });
  const isDocument = ({ path }: RenderedFile): boolean => matchesAny(path, documents.globs);
  const own = rendered.filter((file) => !isDocument(file));
  const folder = getDocumentsFolder(documents.how);
  const below = folder === undefined ? [] : rendered.filter(isDocument).map((file) => moveBelow(folder, file));
  const code = await workspace.render(documents.code, [...own, ...below]);
  if (documents.how !== "apart" || code === whole) return workspace.commit({ ...order, run, tree: code });
  const work = await workspace.commit({ ...order, run, tree: code });
  const { message } = documents;
  const told = await workspace.commit({ ...order, run, tree: whole, parent: work.commit, message });
  return { ...told, code: work.commit };
}

/** Returns the folder for documents, if they are moved below one. */
const getDocumentsFolder = (how: string): string | undefined => (how === "apart" || how === "none" ? undefined : how);

/** Returns the tree with every document as the parent commit has it, and the agents' versions below the folder. */
export async function removeDocuments(workspace: Workspace, request: WithoutRequest): Promise<string> {
  const { tree, parent, globs, folder } = request;
  const paths = await listChangedDocuments(workspace, { parent, tree }, globs);
  if (paths.length === 0) return tree;
  const code = await workspace.compose(tree, { from: parent, paths, texts: [] });
  if (folder === undefined) return code;
  const files = await Promise.all(paths.map(async (path) => ({ path, file: await workspace.file(path, tree) })));
  const texts = files.flatMap(({ path, file }) => (file ? [moveBelow(folder, { path, text: file.text })] : []));
  return workspace.render(code, texts);
}

const moveBelow = (folder: string, { path, text }: RenderedFile): RenderedFile => ({
  path: `${folder.replace(/\/+$/, "")}/${path}`,
  text,
});

type TreeStep = { readonly parent: string; readonly tree: string };

async function listChangedDocuments(workspace: Workspace, { parent, tree }: TreeStep, globs: readonly string[]) {
  const changes = await workspace.changes(parent, tree);
  return changes.map(({ path }) => path).filter((path) => matchesAny(path, globs));
}
