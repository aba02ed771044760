import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Place } from "./attempts.ts";
import { lineOf } from "./commands.ts";
import type { Task } from "./contracts.ts";
import { violation } from "./desk.ts";
import type { Said } from "./log.ts";
import { developer, ROWS } from "./roles.ts";
import { strayed, type Worked } from "./rules.ts";
import { writesOf } from "./tasks-file.ts";

type Order = {
  readonly task: Task;
  /** Where the developer starts, and what the task's work is compared with. */
  readonly tree: Tree;
  readonly before: Tree;
  readonly mode: "PARALLEL" | "SEQUENTIAL";
  readonly findings: readonly Finding[];
};

export type Developed = { readonly work: Worked; readonly after: Tree; readonly changed: boolean };

/** One attempt of one task; in a parallel group its files are only looked at, because the build is the group's. */
export async function develop(place: Place, order: Order): Promise<Developed> {
  const { desk, board } = place;
  const { task, tree } = order;
  const row = ROWS.Developer(writesOf(task, board.tasks));
  const answer = await desk.attempt(developer, inputFor(place, order), { in: tree, task: task.id, ...row });
  const { baseline_scope: scope } = board.tasks.validation_policy;
  if (!answer.ok) {
    const work: Worked = { id: task.id, status: "ERROR", summary: answer.failure.message, outside: [], scope };
    return { work, after: tree, changed: false };
  }
  const { summary, outside, after, changed } = answer.value;
  const nothing = changed.length === 0 && tree.tree === order.before.tree && isFirst(place);
  const said = nothing ? { status: "ERROR" as const, summary: "nothing was changed" } : { ...answer.value, summary };
  const syntax = order.mode === "PARALLEL" && said.status === "DONE" ? await unreadable(place, order, after) : [];
  const { status } = said;
  const bad = syntax.length > 0 ? { status: "SYNTAX_ERROR" as const, summary: syntax.join("; ") } : undefined;
  const work: Worked = { id: task.id, status, summary: said.summary, outside, scope, ...bad };
  return { work, after, changed: changed.length > 0 };
}

/** Later iterations go on with the same tree: what a task asks for may be there already. */
const isFirst = ({ desk }: Place): boolean => desk.book.progress().iteration_number === 0;

/** The engine's own look at the files: what cannot be read, against the tree that the group started from. */
async function unreadable({ desk }: Place, { task, before }: Order, after: Tree): Promise<string[]> {
  const seen = await desk.check(after, { baseline: before, task: task.id, commands: [] });
  return seen.checks.filter(({ name, passed }) => name === "parses" && !passed).map(({ snippet }) => snippet);
}

function inputFor({ desk, board }: Place, { task, mode, findings }: Order) {
  const { jira, prompt, commands, book } = desk;
  const mandates = prompt.tool_mandates.filter(({ assigned_agent }) => assigned_agent === "developer");
  const own = (finding: Finding) => [undefined, task.id].includes(finding.by) || !isTask(board.tasks.tasks, finding.by);
  return {
    jira,
    iteration: book.progress().iteration_number,
    task,
    attempt: board.attempt(task.id),
    mode,
    build_command: lineOf(commands, commands.build),
    test_command: lineOf(commands, commands.test),
    tool_mandates: mandates.map(({ text }) => text),
    findings: findings.filter(own),
  };
}

const isTask = (tasks: readonly Task[], by: string | undefined): boolean => tasks.some(({ id }) => id === by);

/** What a developer changed beside its files; nothing of it was taken. */
export function strayLines({ work }: Developed): readonly Said[] {
  const files = strayed(work);
  if (files.length === 0) return [];
  return [violation("Developer", `${work.id} changed ${files.join(", ")}`, work.id)];
}
