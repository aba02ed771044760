import { acceptedContent, inputRequired, type McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { formatBrief } from "../../core/authoring/brief.ts";
import { getClientName, getRequestCapabilities } from "./client.ts";
import type { McpPort, OpenQuestion } from "./port.ts";
import { catchRefusal, toToolResult } from "./tool-result.ts";

/**
 * Adds the tools for questions. Questions are answered by people: the client is asked to show them, and a choice of the
 * model is never accepted.
 */
export function addQuestionTools(server: McpServer, port: McpPort): void {
  server.registerTool(
    "question_list",
    { description: "Lists open questions that need a person's answer.", annotations: { readOnlyHint: true } },
    () => catchRefusal(async () => toToolResult(await port.see("questions"))),
  );
  server.registerTool(
    "question_answer",
    {
      description: "Shows a question to the person at this client and records their choice.",
      inputSchema: z.object({ id: z.string() }),
    },
    async ({ id }, context) => {
      const asked = await tryGet(() => port.question(id));
      if ("error" in asked) return catchRefusal(() => Promise.reject(asked.error));
      const client = getClientName(server.server, context);
      if (!(getRequestCapabilities(context) ?? server.server.getClientCapabilities())?.elicitation)
        return refuseWithoutPerson(id, client);
      const form = buildAnswerForm(asked.value);
      const reply = acceptedContent(context.mcpReq.inputResponses, "answer", form);
      if (reply) {
        const note = reply.note ? { note: reply.note } : {};
        return catchRefusal(async () =>
          toToolResult(await port.answer(id, { choice: reply.choice, ...note, through: client })),
        );
      }
      if (context.mcpReq.inputResponses)
        return toToolResult({ id, answered: false, because: "the person did not answer" });
      const message = formatQuestion(asked.value);
      return inputRequired({ inputRequests: { answer: inputRequired.elicit({ message, requestedSchema: form }) } });
    },
  );
}

export function formatQuestion({ title, show, brief, words = [], revises, files = [] }: OpenQuestion): string {
  const noted = [...new Set([...words, ...(revises === undefined ? [] : [revises])])];
  return [
    title,
    brief ? formatBrief(brief).join("\n") : JSON.stringify(show, null, 2),
    ...files.map(({ path, text }) => `${path}\n${text ?? "(cannot be read)"}`),
    ...(noted.length > 0 ? [`Requires a note: ${noted.join(", ")}`] : []),
  ].join("\n\n");
}

/** Builds the form from the question's choices, so that no other choice can be submitted. */
export function buildAnswerForm({ choices }: OpenQuestion) {
  const [first = "", ...others] = choices;
  return z.object({ choice: z.enum([first, ...others]), note: z.string().optional() });
}

function refuseWithoutPerson(id: string, client: string) {
  const message = `${client} cannot show a question to a person, so it cannot answer questions.`;
  const hint = `Ask the person to run: signalbox approve ${id}`;
  return { ...toToolResult({ error: "AGENT_IN_CHARGE", message, hint }), isError: true };
}

async function tryGet<T>(work: () => Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
