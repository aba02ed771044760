import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { McpPort } from "./port.ts";
import { supportsTasks, toTask } from "./task-methods.ts";
import { catchRefusal, toToolResult } from "./tool-result.ts";

const run = z.string().optional().describe("a run id or a unique prefix; defaults to the newest run");
const note = z.string().optional().describe("the reason; it is recorded");
const reading = { annotations: { readOnlyHint: true } };

const Started = z.object({ run: z.string() });

export function addRunTools(server: McpServer, port: McpPort): void {
  const view = (name: string, what: Parameters<McpPort["see"]>[0], description: string) =>
    server.registerTool(name, { description, inputSchema: z.object({ run }), ...reading }, (given) =>
      catchRefusal(async () => toToolResult(await port.see(what, given.run))),
    );
  view("run_list", "runs", "Lists the runs of this repository, newest first.");
  view("run_status", "status", "Shows the state of a run: phases, running agents, last gate, open questions, cost.");
  view("run_why", "why", "Explains the current state of a run and what to do next.");
  view("run_evidence", "evidence", "Lists the evidence that the engine recorded: commands, trees, exit codes.");
  view("pipeline_list", "pipelines", "Lists the pipelines available in this repository.");
  server.registerTool(
    "run_start",
    {
      description: "Starts a pipeline on this repository and returns the run id immediately.",
      inputSchema: z.object({
        pipeline: z.string(),
        request: z.string().optional().describe("the task, in plain text"),
        input: z.record(z.string(), z.string()).optional().describe("further pipeline inputs by name"),
        approvals: z.enum(["interactive", "autonomous"]).optional(),
        agents: z
          .enum(["mailbox", "configured"])
          .default("mailbox")
          .describe(
            "mailbox: you do the work of the roles through dispatch_next; configured: the configured agents do",
          ),
      }),
    },
    (order, context) =>
      catchRefusal(async () => {
        const started = await port.start(order);
        // In mailbox mode the client needs the call back at once to do the work, so only a run with configured agents
        // becomes a task.
        if (order.agents === "mailbox" || !supportsTasks(context)) return toToolResult(started);
        const { run } = Started.parse(started);
        return { ...toTask(await port.task(run)), resultType: "task", status: "working", content: [] };
      }),
  );
  server.registerTool(
    "run_resume",
    { description: "Resumes a suspended run in a new engine process.", inputSchema: z.object({ run }) },
    (given) => catchRefusal(async () => toToolResult(await port.resume(given.run))),
  );
  server.registerTool(
    "run_pause",
    {
      description: "Pauses a run. Running agents are stopped and dispatched again when the run is resumed.",
      inputSchema: z.object({ run, note }),
    },
    (given) => catchRefusal(async () => toToolResult(await port.pause(given.run, given.note))),
  );
  server.registerTool(
    "run_stop",
    {
      description: "Stops one agent's attempt immediately. The pipeline decides what happens next.",
      inputSchema: z.object({
        run: z.string(),
        agent: z.string().describe("the agent's name, step key or effect id"),
        note,
      }),
      annotations: { destructiveHint: true },
    },
    (given) => catchRefusal(async () => toToolResult(await port.stop(given.run, given))),
  );
  server.registerTool(
    "run_cancel",
    {
      description: "Cancels a run permanently. Its work is kept in git.",
      inputSchema: z.object({ run: z.string() }),
      annotations: { destructiveHint: true },
    },
    (given) => catchRefusal(async () => toToolResult(await port.cancel(given.run))),
  );
}
