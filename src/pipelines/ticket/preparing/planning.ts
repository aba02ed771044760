import type { Tree } from "../../../core/authoring/tree.ts";
import { pickNonEmpty } from "../../non-empty.ts";
import type { TicketContext } from "../context.ts";
import type { Mandate, Prompt, Tasks } from "../contracts.ts";
import { openTaskBoard, type TaskBoard } from "../files/board.ts";
import type { LogEvent } from "../files/log.ts";
import type { LogInput } from "../files/ticket-files.ts";
import { planner, ROWS, splitter } from "../roles.ts";
import { OWN_OUTPUT, PLAN } from "../rules.ts";
import { refreshDocs } from "../working/docs-refresh.ts";
import { listRefusedCommands } from "../working/group-checks.ts";
import { getCommandLine } from "./commands.ts";
import { type Docs, readDocs } from "./docs.ts";
import { createRequestInput } from "./request-input.ts";
import { isTrivial, readTasks } from "./tasks-file.ts";

/** Previous review report and the plan it refers to, verbatim. */
type PreviousIteration = { readonly report: string | undefined; readonly plan?: string | undefined };
type PlanRequest = PreviousIteration & { readonly iteration: number; readonly tree: Tree };
/** `tree` includes refreshed documents. */
export type PlanResult = { readonly plan: string; readonly tasksText: string | undefined; readonly tree?: Tree };

/**
 * Runs steps O1 to O3: plans, and refreshes untrusted documents in parallel.
 * @rule T-08 (policy) Without cache evidence the docs are untrusted, and the Initializer refreshes them in parallel
 *   with the Planner.
 */
export async function plan(context: TicketContext, request: PlanRequest): Promise<PlanResult> {
  const { iteration, tree } = request;
  const { together, attempt, see, ticketFiles, docs, heard, fail } = context;
  await ticketFiles.beginIteration(iteration);
  await ticketFiles.at("O3", {}, "planner.pre_git_gate.start");
  const row = ROWS.Planner(ticketFiles.folder());
  const order = createPlannerOrder(context, request, await selectDocs(context, request));
  const { plan: planned, documents } = await together({
    plan: () => attempt(planner, { ...order, outputs: row.writes }, { in: tree, ...row }),
    documents: async () =>
      docs.trusted || !docs.wanted || iteration > 0
        ? undefined
        : refreshDocs(context, { tree, mode: "REFRESH_IF_REQUIRED" }),
  });
  const answer = await heard("Planner", planned);
  await requireOwnOutput(context, { changed: answer.changed, outputs: row.delivers, by: "Planner" });
  const [planPath = "", tasksPath = ""] = row.writes;
  const text = (await see("file", { path: planPath, in: answer.after }))?.text ?? "";
  const decision = await context.gate("plan", [PLAN], { plan: text });
  if (!decision.passed) return fail(`the plan defers research: ${decision.findings.map(getMessage).join("; ")}`);
  await ticketFiles.keep("plan.md", text);
  const own = answer.changed.includes(tasksPath);
  const tasks = own ? await see("file", { path: tasksPath, in: answer.after }) : null;
  const docsTree = documents && (await context.warned("Initializer", documents));
  return { plan: text, tasksText: tasks?.text, tree: docsTree?.after ?? tree };
}

const getMessage = ({ message }: { readonly message: string }): string => message;

/** Later iterations read the documents again. */
async function selectDocs(context: TicketContext, { iteration, tree }: PlanRequest): Promise<Docs> {
  return iteration === 0 || !context.docs.wanted ? context.docs : readDocs(context, tree);
}

/**
 * Builds the planner's input: the context snapshot, without values that the engine computes.
 * @rule T-09 (declaration) The Planner gets the context snapshot: impact scan, architecture (80 lines), style (40
 *   lines), findings, input and progress.
 */
function createPlannerOrder(
  { jira, prompt, ticketFiles, impact, commands }: TicketContext,
  before: PlanRequest,
  docs: Docs,
) {
  const { iteration_number: iteration, branch, status, current_step } = ticketFiles.progress();
  const mandates = prompt.tool_mandates.filter(({ assigned_agent }) => assigned_agent === "planner");
  const others = prompt.tool_mandates.filter((each) => !mandates.includes(each));
  return {
    jira,
    iteration,
    build_command: getCommandLine(commands, commands.build),
    test_command: getCommandLine(commands, commands.test),
    approved_commands: commands.approved,
    ...pickNonEmpty({ tool_mandates: mandates.map(getText), developer_mandates: others.map(getText) }),
    snapshot: {
      impact_scan: impact,
      architecture: docs.architecture,
      code_style: docs.style,
      findings: docs.findings,
      ...createPrimaryInput({ iteration, prompt, before }),
      progress: { branch, status, current_step },
    },
  };
}

const getText = ({ text }: Mandate): string => text;

type PrimaryInputSource = { readonly iteration: number; readonly prompt: Prompt; readonly before: PreviousIteration };

/**
 * Runs step O2: the first iteration starts from the request, later ones from the review, with the request and the
 * previous plan.
 * @rule T-40 (policy) The first iteration plans from `prompt.yaml`, later ones from the whole previous review; missing
 *   documents are marked `not available`.
 */
function createPrimaryInput({ iteration, prompt, before }: PrimaryInputSource) {
  const asked = createRequestInput(prompt);
  if (iteration === 0) return { primary_input: asked };
  const { report = "not available", plan = "not available" } = before;
  return { primary_input: report, request: asked, previous_plan: plan };
}

/**
 * Runs step O4: uses the planner's tasks if they are valid, otherwise the Splitter's.
 * @rule T-42 (gate) The Splitter's file is validated like the Planner's; a second invalid file ends the run with the
 *   reasons.
 */
export async function split(context: TicketContext, planned: PlanResult): Promise<TaskBoard> {
  const { attempt, see, ticketFiles, heard, fail } = context;
  await ticketFiles.at("O4", {}, "planner.complete");
  const first = readTasks(planned.tasksText);
  if (first.ok) return openPlannedTasks(context, first.value, "splitter.skipped_planner_provided");
  if (planned.tasksText !== undefined)
    await ticketFiles.save({}, { event: "tasks.yaml.invalid", level: "ERROR", message: first.problems.join("; ") });
  const row = ROWS.Splitter(ticketFiles.folder());
  const input = { jira: context.jira, plan: planned.plan, problems: first.problems, outputs: row.writes };
  const answer = await heard("Splitter", await attempt(splitter, input, row));
  await requireOwnOutput(context, { changed: answer.changed, outputs: row.delivers, by: "Splitter" });
  const [path = ""] = row.writes;
  const second = readTasks((await see("file", { path, in: answer.after }))?.text);
  if (!second.ok) return fail(second.problems.map((problem) => `${path}: ${problem}`).join("; "));
  return openPlannedTasks(context, second.value);
}

async function requireOwnOutput(
  context: TicketContext,
  at: { changed: readonly string[]; outputs: readonly string[]; by: string },
) {
  const decision = await context.gate(`output of ${at.by}`, [OWN_OUTPUT], { changed: at.changed, outputs: at.outputs });
  if (!decision.passed) await context.fail(`${at.by} wrote no output: ${decision.findings.map(getMessage).join("; ")}`);
}

/** Resets task states and counts, because a plan cannot mark its own tasks as done. */
async function openPlannedTasks(
  context: TicketContext,
  tasks: Tasks,
  ...events: readonly LogEvent[]
): Promise<TaskBoard> {
  const refused = listRefusedCommands(context.commands, tasks);
  const message = refused.length === 0 ? "" : `not among the approved commands: ${refused.join(", ")}`;
  const clean = { ...tasks, tasks: tasks.tasks.map((task) => ({ ...task, status: "PENDING" })) };
  return openTasks(context, { tasks: clean, accepted: [] }, ...events, { event: "tasks.ready", message });
}

type OpenTasks = { readonly tasks: Tasks; readonly accepted: readonly string[] };

/** Registers the tasks in the ticket's files. */
export async function openTasks(
  { ticketFiles }: TicketContext,
  { tasks, accepted }: OpenTasks,
  ...lines: readonly LogInput[]
) {
  const board = openTaskBoard(tasks, accepted);
  const isDone = (ids: readonly string[]) => ids.every((id) => accepted.includes(id));
  ticketFiles.open(board);
  await ticketFiles.save(
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
