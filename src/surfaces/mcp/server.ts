import { McpServer } from "@modelcontextprotocol/server";
import { addDispatchTools } from "./dispatch-tools.ts";
import type { McpPort } from "./port.ts";
import { addQuestionTools } from "./question-tools.ts";
import { addRunTools } from "./run-tools.ts";
import { addTaskMethods } from "./task-methods.ts";

const INSTRUCTIONS = `Signalbox runs an engineering pipeline; you may play its roles, but you never decide what runs next.
1. run_start begins a run whose roles wait in a mailbox.
2. dispatch_next hands you the next dispatch: a prompt and a folder. Do exactly what the prompt says, in that folder only, best with a sub-agent of its own.
3. dispatch_complete gives back the final message, which ends with the contract that the prompt shows. If it says accepted: false with open: true, mend what the problem names and call it again for the same dispatch; the work is kept.
4. Repeat until run_status says that the run has ended. Gates, retries and commits are the engine's.
Questions of a run are a person's to answer: question_answer shows them to the person, it does not let you choose.`;

/** The program as tools of the Model Context Protocol. */
export function mcpServer(port: McpPort): McpServer {
  const server = new McpServer({ name: "signalbox", version: port.version }, { instructions: INSTRUCTIONS });
  addRunTools(server, port);
  addDispatchTools(server, port);
  addQuestionTools(server, port);
  addTaskMethods(server, port);
  return server;
}
