import { McpServer } from "@modelcontextprotocol/server";
import { addDispatchTools } from "./dispatch-tools.ts";
import type { McpPort } from "./port.ts";
import { addQuestionTools } from "./question-tools.ts";
import { addRunTools } from "./run-tools.ts";
import { addTaskMethods } from "./task-methods.ts";

const INSTRUCTIONS = `Signalbox runs an engineering pipeline; you can do the work of its roles, but the engine decides what runs next.
1. run_start starts a run and posts its dispatches in a mailbox.
2. dispatch_next claims the next dispatch: a prompt and a folder. Follow the prompt exactly and work in that folder only, preferably in a separate sub-agent.
3. dispatch_complete submits the final message, which ends with the contract that the prompt describes. If it returns accepted: false with open: true, fix the reported problem and call it again for the same dispatch; the work is kept.
4. Repeat until run_status reports that the run has ended. The engine handles gates, retries and commits.
Questions of a run are answered by a person: question_answer shows a question to the person and does not let you choose.`;

/** Creates the MCP server that exposes runs, dispatches, questions and tasks. */
export function createMcpServer(port: McpPort): McpServer {
  const server = new McpServer({ name: "signalbox", version: port.version }, { instructions: INSTRUCTIONS });
  addRunTools(server, port);
  addDispatchTools(server, port);
  addQuestionTools(server, port);
  addTaskMethods(server, port);
  return server;
}
