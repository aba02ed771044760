import { acceptedContent, inputRequired, type McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { linesOf } from "../../core/authoring/brief.ts";
import { capabilitiesIn, clientName } from "./client.ts";
import type { McpPort, OpenQuestion } from "./port.ts";
import { orRefusal, told } from "./tool-result.ts";

/** Questions are a person's: the client is asked to show them to one, and a model's own choice is never taken. */
export function addQuestionTools(server: McpServer, port: McpPort): void {
  server.registerTool(
    "question_list",
    { description: "Questions of runs that wait for a person.", annotations: { readOnlyHint: true } },
    () => orRefusal(async () => told(await port.see("questions"))),
  );
  server.registerTool(
    "question_answer",
    {
      description: "Shows a question to the person at this client and records what they choose.",
      inputSchema: z.object({ id: z.string() }),
    },
    async ({ id }, context) => {
      const asked = await orNot(() => port.question(id));
      if ("error" in asked) return orRefusal(() => Promise.reject(asked.error));
      const client = clientName(server.server, context);
      if (!(capabilitiesIn(context) ?? server.server.getClientCapabilities())?.elicitation)
        return nobodyThere(id, client);
      const form = formOf(asked.value);
      const said = acceptedContent(context.mcpReq.inputResponses, "answer", form);
      if (said) {
        const note = said.note ? { note: said.note } : {};
        return orRefusal(async () => told(await port.answer(id, { choice: said.choice, ...note, through: client })));
      }
      if (context.mcpReq.inputResponses) return told({ id, answered: false, because: "the person gave no answer" });
      const message = messageOf(asked.value);
      return inputRequired({ inputRequests: { answer: inputRequired.elicit({ message, requestedSchema: form }) } });
    },
  );
}

export function messageOf({ title, show, brief, words = [], revises, files = [] }: OpenQuestion): string {
  const noted = [...new Set([...words, ...(revises === undefined ? [] : [revises])])];
  return [
    title,
    brief ? linesOf(brief).join("\n") : JSON.stringify(show, null, 2),
    ...files.map(({ path, text }) => `${path}\n${text ?? "(it cannot be read)"}`),
    ...(noted.length > 0 ? [`With a note: ${noted.join(", ")}`] : []),
  ].join("\n\n");
}

/** The choices as the question has them; whoever answers cannot make up another. */
export function formOf({ choices }: OpenQuestion) {
  const [first = "", ...others] = choices;
  return z.object({ choice: z.enum([first, ...others]), note: z.string().optional() });
}

function nobodyThere(id: string, client: string) {
  const message = `${client} cannot show a question to a person, so it cannot answer one.`;
  const hint = `Ask the person to run: signalbox approve ${id}`;
  return { ...told({ error: "AGENT_IN_CHARGE", message, hint }), isError: true };
}

async function orNot<T>(work: () => Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
