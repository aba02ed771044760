import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { McpPort } from "./port.ts";
import { takesTasks, taskOf } from "./task-methods.ts";
import { orRefusal, told } from "./tool-result.ts";

const run = z.string().optional().describe("a run's id or a unique beginning of it; without it the newest run");
const note = z.string().optional().describe("why; it is recorded");
const reading = { annotations: { readOnlyHint: true } };

const Started = z.object({ run: z.string() });

export function addRunTools(server: McpServer, port: McpPort): void {
  const view = (name: string, what: Parameters<McpPort["see"]>[0], description: string) =>
    server.registerTool(name, { description, inputSchema: z.object({ run }), ...reading }, (given) =>
      orRefusal(async () => told(await port.see(what, given.run))),
    );
  view("run_list", "runs", "The runs of this repository, newest first.");
  view(
    "run_status",
    "status",
    "Where a run stands: phases, agents at work, last gate, open questions, what was spent.",
  );
  view("run_why", "why", "Why a run is where it is, and what to do next.");
  view("run_evidence", "evidence", "What the engine itself saw: commands, trees, exit codes.");
  view("pipeline_list", "pipelines", "The pipelines that can be run here.");
  server.registerTool(
    "run_start",
    {
      description: "Starts a pipeline on this repository and returns at once with the run's id.",
      inputSchema: z.object({
        pipeline: z.string(),
        request: z.string().optional().describe("what is to be done, in words"),
        input: z.record(z.string(), z.string()).optional().describe("further input of the pipeline, by name"),
        approvals: z.enum(["interactive", "autonomous"]).optional(),
        agents: z
          .enum(["mailbox", "configured"])
          .default("mailbox")
          .describe(
            "mailbox: you play the roles through dispatch_next; configured: the agents of the configuration do",
          ),
      }),
    },
    (order, context) =>
      orRefusal(async () => {
        const started = await port.start(order);
        // Whoever plays the roles needs the call back at once: only a run that others play can be waited for.
        if (order.agents === "mailbox" || !takesTasks(context)) return told(started);
        const { run } = Started.parse(started);
        return { ...taskOf(await port.task(run)), resultType: "task", status: "working", content: [] };
      }),
  );
  server.registerTool(
    "run_resume",
    { description: "Lets a suspended run go on, with an engine of its own.", inputSchema: z.object({ run }) },
    (given) => orRefusal(async () => told(await port.resume(given.run))),
  );
  server.registerTool(
    "run_pause",
    {
      description: "Rests a run: agents at work are put down, and asked again when it is resumed.",
      inputSchema: z.object({ run, note }),
    },
    (given) => orRefusal(async () => told(await port.pause(given.run, given.note))),
  );
  server.registerTool(
    "run_stop",
    {
      description: "Ends one agent's attempt at once; what its pipeline does then is the pipeline's.",
      inputSchema: z.object({ run: z.string(), agent: z.string().describe("its name, step or effect"), note }),
      annotations: { destructiveHint: true },
    },
    (given) => orRefusal(async () => told(await port.stop(given.run, given))),
  );
  server.registerTool(
    "run_cancel",
    {
      description: "Ends a run for good; its work stays pinned.",
      inputSchema: z.object({ run: z.string() }),
      annotations: { destructiveHint: true },
    },
    (given) => orRefusal(async () => told(await port.cancel(given.run))),
  );
}
