import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { SignalboxError } from "../../core/failure/errors.ts";
import { type ClientContext, capabilitiesIn, clientName } from "./client.ts";
import type { McpPort, RunTask } from "./port.ts";
import { formOf, messageOf } from "./question-tools.ts";
import { told } from "./tool-result.ts";

/** The extension of the protocol by which a call may become something that is polled. */
const TASKS = "io.modelcontextprotocol/tasks";
const POLL_MS = 2_000;

export function takesTasks(context: ClientContext): boolean {
  return capabilitiesIn(context)?.extensions?.[TASKS] !== undefined;
}

/** A run as a task; its id is the run's, so that it outlives this server: everything is read from the journal. */
export function taskOf({ run, createdAt, updatedAt, because }: RunTask) {
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
    const canAsk = capabilitiesIn(context)?.elicitation !== undefined;
    return known(async () => detailed(port, await port.task(taskId), canAsk));
  });
  server.setRequestHandler("tasks/update", { params: TaskName }, async ({ taskId }, context) =>
    known(async () => {
      const { questions } = await port.task(taskId);
      // Only a client that can show a question to a person has an answer to one.
      const said = capabilitiesIn(context)?.elicitation === undefined ? {} : (context.mcpReq.inputResponses ?? {});
      const through = clientName(server, context);
      for (const { id } of questions) await answer(port, id, { said: said[id], through });
      return {};
    }),
  );
  server.setRequestHandler("tasks/cancel", { params: TaskName }, async ({ taskId }) =>
    known(async () => {
      const { run, ended } = await port.task(taskId);
      if (ended === undefined) await port.cancel(run);
      return {};
    }),
  );
}

/** What was declined, or is for a question that has its answer, changes nothing: the question stays as it is. */
async function answer(port: McpPort, id: string, { said, through }: { said: unknown; through: string }): Promise<void> {
  const { action, content } = Answer.safeParse(said).data ?? {};
  if (action !== "accept" || !content) return;
  const { choice, note } = content;
  await port.answer(id, { choice, ...(note ? { note } : {}), through });
}

/** By the extension's own rule a bad end is a result too; `failed` is for errors of the protocol. */
async function detailed(port: McpPort, task: RunTask, canAsk: boolean) {
  const { run, ended, questions } = task;
  if (ended === "canceled") return { ...taskOf(task), status: "cancelled" };
  if (ended !== undefined) {
    const result = { ...told(await port.see("status", run)), isError: ended !== "done" };
    return { ...taskOf(task), status: "completed", result };
  }
  const asked = canAsk ? await Promise.all(questions.map(({ id }) => elicitation(port, id))) : [];
  const requests = asked.flat();
  if (requests.length === 0) return { ...taskOf(task), status: "working" };
  return { ...taskOf(task), status: "input_required", inputRequests: Object.fromEntries(requests) };
}

/** Nothing for a question that was answered meanwhile, or that this caller may not answer. */
async function elicitation(port: McpPort, id: string) {
  const question = await port.question(id).catch((error: unknown) => {
    if (error instanceof SignalboxError) return undefined;
    throw error;
  });
  if (!question) return [];
  const { $schema: _schema, ...requestedSchema } = z.toJSONSchema(formOf(question));
  const params = { mode: "form", message: messageOf(question), requestedSchema };
  return [[id, { method: "elicitation/create", params }] as const];
}

/** What the program refuses is an error of the request here: there is no tool's answer to say it in. */
async function known<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.message} ${error.hint}`, { error: error.code });
  }
}
