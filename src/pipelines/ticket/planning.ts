import type { Tree } from "../../core/tree.ts";
import { yamlOf } from "./artifacts.ts";
import { type Board, openBoard } from "./board.ts";
import type { Line } from "./book.ts";
import { lineOf, refusedIn } from "./commands.ts";
import type { Prompt, Tasks } from "./contracts.ts";
import type { Desk } from "./desk.ts";
import { refreshDocs } from "./docs-refresh.ts";
import type { LogEvent } from "./log.ts";
import { planner, ROWS, splitter } from "./roles.ts";
import { OWN_OUTPUT, PLAN } from "./rules.ts";
import { isTrivial, readTasks } from "./tasks-file.ts";

/** `report` is the whole text of the review before, where there was one. */
type Wish = { readonly iteration: number; readonly tree: Tree; readonly report: string | undefined };
/** `tree` has refreshed documents, where there are any. */
export type Planned = { readonly plan: string; readonly tasksText: string | undefined; readonly tree?: Tree };

/** Steps O1 to O3: plan, with the documents refreshed beside it where they are not trusted. */
export async function plan(desk: Desk, { iteration, tree, report }: Wish): Promise<Planned> {
  const { together, attempt, see, book, docs, heard, fail } = desk;
  await book.beginIteration(iteration);
  await book.at("O3", {}, "planner.pre_git_gate.start");
  const row = ROWS.Planner(book.folder());
  const order = orderFor(desk, report);
  const { plan: planned, documents } = await together({
    plan: () => attempt(planner, { ...order, outputs: row.writes }, { in: tree, ...row }),
    documents: async () => (docs.trusted || iteration > 0 ? undefined : refreshDocs(desk, tree, "REFRESH_IF_REQUIRED")),
  });
  const answer = await heard("Planner", planned);
  await needsOwn(desk, { changed: answer.changed, outputs: row.delivers, by: "Planner" });
  const [planPath = "", tasksPath = ""] = row.writes;
  const text = (await see("file", { path: planPath, in: answer.after }))?.text ?? "";
  const decision = await desk.gate("plan", [PLAN], { plan: text });
  if (!decision.passed) return fail(`the plan puts research off: ${decision.findings.map(messageOf).join("; ")}`);
  await book.keep("plan.md", text);
  const own = answer.changed.includes(tasksPath);
  const tasks = own ? await see("file", { path: tasksPath, in: answer.after }) : null;
  const docsTree = documents && (await desk.warned("Initializer", documents));
  return { plan: text, tasksText: tasks?.text, tree: docsTree?.after ?? tree };
}

const messageOf = ({ message }: { readonly message: string }): string => message;

/** What a planner would otherwise have to look for: the seed's snapshot, part by part. */
function orderFor({ jira, prompt, book, docs, impact, commands }: Desk, report: string | undefined) {
  const progress = book.progress();
  const mandates = prompt.tool_mandates.filter(({ assigned_agent }) => assigned_agent === "planner");
  return {
    jira,
    iteration: progress.iteration_number,
    build_command: lineOf(commands, commands.build),
    test_command: lineOf(commands, commands.test),
    approved_commands: commands.approved,
    tool_mandates: mandates.map(({ text }) => text),
    developer_mandates: prompt.tool_mandates.filter((each) => !mandates.includes(each)).map(({ text }) => text),
    snapshot: {
      impact_scan: impact,
      architecture: docs.architecture,
      code_style: docs.style,
      findings: docs.findings,
      primary_input: primaryInput({ iteration: progress.iteration_number, prompt, report }),
      progress: yamlOf(progress),
    },
  };
}

type Source = { readonly iteration: number; readonly prompt: Prompt; readonly report: string | undefined };

/** Step O2: the first iteration starts from the prompt, the others from what was wrong with the one before. */
function primaryInput({ iteration, prompt, report }: Source): string {
  return iteration === 0 ? yamlOf(prompt) : (report ?? "not available");
}

/** Step O4: the planner's tasks if they are valid, otherwise the splitter's, held to the same. */
export async function split(desk: Desk, planned: Planned): Promise<Board> {
  const { attempt, see, book, heard, fail } = desk;
  await book.at("O4", {}, "planner.complete");
  const first = readTasks(planned.tasksText);
  if (first.ok) return ready(desk, first.value, "splitter.skipped_planner_provided");
  if (planned.tasksText !== undefined)
    await book.save({}, { event: "tasks.yaml.invalid", level: "ERROR", message: first.problems.join("; ") });
  const row = ROWS.Splitter(book.folder());
  const input = { jira: desk.jira, plan: planned.plan, problems: first.problems, outputs: row.writes };
  const answer = await heard("Splitter", await attempt(splitter, input, row));
  await needsOwn(desk, { changed: answer.changed, outputs: row.delivers, by: "Splitter" });
  const [path = ""] = row.writes;
  const second = readTasks((await see("file", { path, in: answer.after }))?.text);
  if (!second.ok) return fail(second.problems.map((problem) => `${path}: ${problem}`).join("; "));
  return ready(desk, second.value);
}

async function needsOwn(desk: Desk, at: { changed: readonly string[]; outputs: readonly string[]; by: string }) {
  const decision = await desk.gate(`output of ${at.by}`, [OWN_OUTPUT], { changed: at.changed, outputs: at.outputs });
  if (!decision.passed) await desk.fail(`${at.by} left no output: ${decision.findings.map(messageOf).join("; ")}`);
}

/** Counts are the engine's, and so is the state of every task: a plan cannot say that its own work is done. */
async function ready(desk: Desk, tasks: Tasks, ...events: readonly LogEvent[]): Promise<Board> {
  const refused = refusedIn(desk.commands, tasks);
  const message = refused.length === 0 ? "" : `not among the approved commands: ${refused.join(", ")}`;
  const clean = { ...tasks, tasks: tasks.tasks.map((task) => ({ ...task, status: "PENDING" })) };
  return openTasks(desk, { tasks: clean, accepted: [] }, ...events, { event: "tasks.ready", message });
}

type Opened = { readonly tasks: Tasks; readonly accepted: readonly string[] };

/** From here on the books count these tasks. */
export async function openTasks({ book }: Desk, { tasks, accepted }: Opened, ...lines: readonly Line[]) {
  const board = openBoard(tasks, accepted);
  const isDone = (ids: readonly string[]) => ids.every((id) => accepted.includes(id));
  book.open(board);
  await book.save(
    {
      cycle_acceleration_mode: isTrivial(tasks) ? "trivial_graph" : "standard",
      metrics: {
        tasks_total: tasks.tasks.length,
        groups_total: tasks.execution_order.length,
        groups_completed: tasks.execution_order.filter((group) => isDone(group.tasks)).length,
      },
    },
    ...lines,
  );
  return board;
}
