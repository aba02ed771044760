import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { SignalboxError } from "../../core/failure/errors.ts";
import { type ClientContext, getClientName, getRequestCapabilities } from "./client.ts";
import type { McpPort, RunTask } from "./port.ts";
import { buildAnswerForm, formatQuestion } from "./question-tools.ts";
import { toToolResult } from "./tool-result.ts";

/** Protocol extension that lets a tool call return a task to poll. */
const TASKS = "io.modelcontextprotocol/tasks";
const POLL_MS = 2_000;

export function supportsTasks(context: ClientContext): boolean {
  return getRequestCapabilities(context)?.extensions?.[TASKS] !== undefined;
}

/**
 * Converts a run to a task. Task id and run id are equal and all data comes from the journal, so a task outlives this
 * server.
 */
export function toTask({ run, createdAt, updatedAt, because }: RunTask) {
  return {
    taskId: run,
    statusMessage: because,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}

const TaskName = z.object({ taskId: z.string() });
const Answer = z.object({
  action: z.string(),
  content: z.object({ choice: z.string(), note: z.string().optional() }).optional(),
});

export function addTaskMethods({ server }: McpServer, port: McpPort): void {
  server.registerCapabilities({ extensions: { [TASKS]: {} } });
  server.setRequestHandler("tasks/get", { params: TaskName }, async ({ taskId }, context) => {
    const canAsk = getRequestCapabilities(context)?.elicitation !== undefined;
    return mapRefusal(async () => describeTask(port, await port.task(taskId), canAsk));
  });
  server.setRequestHandler("tasks/update", { params: TaskName }, async ({ taskId }, context) =>
    mapRefusal(async () => {
      const { questions } = await port.task(taskId);
      // Accept answers only from a client that can show a question to a person.
      const responses =
        getRequestCapabilities(context)?.elicitation === undefined ? {} : (context.mcpReq.inputResponses ?? {});
      const through = getClientName(server, context);
      for (const { id } of questions) await recordAnswer(port, id, { response: responses[id], through });
      return {};
    }),
  );
  server.setRequestHandler("tasks/cancel", { params: TaskName }, async ({ taskId }) =>
    mapRefusal(async () => {
      const { run, ended } = await port.task(taskId);
      if (ended === undefined) await port.cancel(run);
      return {};
    }),
  );
}

/** Records an accepted answer. Declined answers and answers to questions that are already answered change nothing. */
async function recordAnswer(
  port: McpPort,
  id: string,
  { response, through }: { response: unknown; through: string },
): Promise<void> {
  const { action, content } = Answer.safeParse(response).data ?? {};
  if (action !== "accept" || !content) return;
  const { choice, note } = content;
  await port.answer(id, { choice, ...(note ? { note } : {}), through });
}

/**
 * Describes the state of a task. The extension defines that a failed run is a completed task; `failed` is for protocol
 * errors.
 */
async function describeTask(port: McpPort, task: RunTask, canAsk: boolean) {
  const { run, ended, questions } = task;
  if (ended === "canceled") return { ...toTask(task), status: "cancelled" };
  if (ended !== undefined) {
    const result = { ...toToolResult(await port.see("status", run)), isError: ended !== "done" };
    return { ...toTask(task), status: "completed", result };
  }
  const asked = canAsk ? await Promise.all(questions.map(({ id }) => createElicitation(port, id))) : [];
  const requests = asked.flat();
  if (requests.length === 0) return { ...toTask(task), status: "working" };
  return { ...toTask(task), status: "input_required", inputRequests: Object.fromEntries(requests) };
}

/** Returns nothing for a question that has been answered meanwhile, or that this caller may not answer. */
async function createElicitation(port: McpPort, id: string) {
  const question = await port.question(id).catch((error: unknown) => {
    if (error instanceof SignalboxError) return undefined;
    throw error;
  });
  if (!question) return [];
  const { $schema: _schema, ...requestedSchema } = z.toJSONSchema(buildAnswerForm(question));
  const params = { mode: "form", message: formatQuestion(question), requestedSchema };
  return [[id, { method: "elicitation/create", params }] as const];
}

/** Turns refusals into request errors, because these methods have no tool result to carry them. */
async function mapRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.message} ${error.hint}`, { error: error.code });
  }
}
