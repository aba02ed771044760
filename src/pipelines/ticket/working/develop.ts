import type { Finding } from "../../../core/authoring/finding.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import { pickNonEmpty } from "../../non-empty.ts";
import { createViolation } from "../context.ts";
import type { Task } from "../contracts.ts";
import type { LogEntry } from "../files/log.ts";
import { getCommandLine } from "../preparing/commands.ts";
import { createTaskContext } from "../preparing/plan-sections.ts";
import { listWritablePaths } from "../preparing/tasks-file.ts";
import { developer, ROWS } from "../roles.ts";
import { listStrayFiles, type TaskResult } from "../rules.ts";
import type { IterationContext } from "./attempts.ts";

type DevelopOrder = {
  readonly task: Task;
  /** Tree that the developer starts from, and tree that the work is compared with. */
  readonly tree: Tree;
  readonly before: Tree;
  readonly mode: "PARALLEL" | "SEQUENTIAL";
  readonly findings: readonly Finding[];
};

export type DevelopResult = { readonly work: TaskResult; readonly after: Tree; readonly changed: boolean };

/** Runs one attempt of a task. In a parallel group only its syntax is checked, because the group has one build. */
export async function runDeveloper(iteration: IterationContext, order: DevelopOrder): Promise<DevelopResult> {
  const { context, board } = iteration;
  const { task, tree, before } = order;
  const row = ROWS.Developer(listWritablePaths(task, board.tasks));
  const place = { in: tree, base: before, task: task.id, ...row };
  const answer = await context.attempt(developer, createDeveloperInput(iteration, order), place);
  const { baseline_scope: scope } = board.tasks.validation_policy;
  if (!answer.ok) {
    const work: TaskResult = { id: task.id, status: "ERROR", summary: answer.failure.message, outside: [], scope };
    return { work, after: tree, changed: false };
  }
  const { outside, after, changed } = answer.value;
  const said = await judgeDeveloper(iteration, order, answer.value);
  return { work: { id: task.id, outside, scope, ...said }, after, changed: changed.length > 0 };
}

type DeveloperVerdict = Pick<TaskResult, "status" | "summary">;
type DeveloperClaim = DeveloperVerdict & { readonly after: Tree; readonly changed: readonly string[] };

/** Checks a developer's DONE: something must have changed and, in a parallel group, every file must parse. */
async function judgeDeveloper(
  iteration: IterationContext,
  order: DevelopOrder,
  { status, summary, after, changed }: DeveloperClaim,
): Promise<DeveloperVerdict> {
  if (status !== "DONE") return { status, summary };
  const { tree, before } = order;
  const untouched = after.tree === before.tree || (changed.length === 0 && tree.tree === before.tree);
  if (untouched && isFirst(iteration)) return { status: "ERROR", summary: "nothing was changed" };
  const bad = order.mode === "PARALLEL" ? await findUnreadable(iteration, order, after) : [];
  return bad.length > 0 ? { status: "SYNTAX_ERROR", summary: bad.join("; ") } : { status, summary };
}

/** In later iterations the requested work may already be in the tree. */
const isFirst = ({ context }: IterationContext): boolean => context.ticketFiles.progress().iteration_number === 0;

/** Returns the files that do not parse, compared with the tree that the group started from. */
async function findUnreadable(
  { context }: IterationContext,
  { task, before }: DevelopOrder,
  after: Tree,
): Promise<string[]> {
  const seen = await context.check(after, { baseline: before, task: task.id, commands: [] });
  return seen.checks.filter(({ name, passed }) => name === "parses" && !passed).map(({ snippet }) => snippet);
}

/**
 * @rule T-43 (declaration) A developer gets ticket, iteration, task, attempt, mode, both commands, the request, the
 *   full task entry and the plan sections that name it.
 */
function createDeveloperInput({ context, board, plan }: IterationContext, { task, mode, findings }: DevelopOrder) {
  const { jira, prompt, commands, ticketFiles } = context;
  const mandates = prompt.tool_mandates.filter(({ assigned_agent }) => assigned_agent === "developer");
  const isOwnFinding = (finding: Finding) =>
    [undefined, task.id].includes(finding.by) || !isTask(board.tasks.tasks, finding.by);
  return {
    jira,
    iteration: ticketFiles.progress().iteration_number,
    ...createTaskContext([task], { prompt, plan }),
    task,
    attempt: board.attempt(task.id),
    mode,
    build_command: getCommandLine(commands, commands.build),
    test_command: getCommandLine(commands, commands.test),
    ...pickNonEmpty({ tool_mandates: mandates.map(({ text }) => text), findings: findings.filter(isOwnFinding) }),
  };
}

const isTask = (tasks: readonly Task[], by: string | undefined): boolean => tasks.some(({ id }) => id === by);

/** Logs changes outside a developer's files; they were discarded. */
export function createStrayEntries({ work }: DevelopResult): readonly LogEntry[] {
  const files = listStrayFiles(work);
  if (files.length === 0) return [];
  return [createViolation("Developer", `${work.id} changed ${files.join(", ")}`, work.id)];
}
