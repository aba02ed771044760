import type { ExamRequest, ExamTrees } from "../../core/effect.ts";
import type { Workspace } from "../../core/ports/workspace.ts";

/** Composes the trees on which a change is cross-examined. */
export async function composeExam(workspace: Workspace, request: ExamRequest): Promise<ExamTrees> {
  const changes = await workspace.changes(request.old, request.new);
  return { exam: [], code: changes.map(({ path }) => path), inseparable: [] };
}
