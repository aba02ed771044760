import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Mailbox, PostedDispatch, Reply } from "../../core/ports/mailbox.ts";
import type { McpPort } from "./port.ts";
import { catchRefusal, toToolResult } from "./tool-result.ts";

const MAX_WAIT_MS = 50_000;
const POLL_MS = 250;
/** The engine reads an answer and snapshots the files within seconds. */
const JUDGE_TIMEOUT_MS = 30_000;

const worker = z
  .string()
  .default("client")
  .describe("a name for the worker; each sub-agent that runs in parallel needs its own");
const usage = z
  .object({ inputTokens: z.number(), outputTokens: z.number(), usd: z.number() })
  .partial()
  .optional()
  .describe("token usage and cost, if known");

/**
 * Adds the tools that fetch and answer dispatches: the client's own agents do the work, and the engine keeps control of
 * the gates.
 */
export function addDispatchTools(server: McpServer, { mailbox }: McpPort): void {
  server.registerTool(
    "dispatch_next",
    {
      description:
        "Claims the next waiting dispatch and returns its prompt and the folder to work in. Returns null if none arrives within wait_ms.",
      inputSchema: z.object({
        worker,
        run: z.string().optional().describe("only claim dispatches of this run"),
        wait_ms: z.number().int().min(0).max(MAX_WAIT_MS).default(0).describe("how long to wait for a dispatch"),
      }),
    },
    (given, context) =>
      catchRefusal(async () => toToolResult(await claimNext(mailbox, { ...given, signal: context.mcpReq.signal }))),
  );
  server.registerTool(
    "dispatch_complete",
    {
      description:
        "Submits the final message of a dispatch, which ends with its contract. The engine validates it. If the contract cannot be read, the result names the problem and the same dispatch accepts another answer; the work in its folder is kept.",
      inputSchema: z.object({ id: z.string(), message: z.string().min(1), worker, usage }),
    },
    ({ id, message, worker: by, usage: cost }) =>
      catchRefusal(() => complete(mailbox, id, { by, message, ...(cost ? { usage: cost } : {}) })),
  );
  server.registerTool(
    "dispatch_fail",
    {
      description:
        "Reports that a dispatch failed, and why. The pipeline's retry policy decides whether it is tried again.",
      inputSchema: z.object({ id: z.string(), error: z.string().min(1), worker }),
    },
    ({ id, error, worker: by }) =>
      catchRefusal(async () => reportSubmission(id, await mailbox.answer(id, { by, error }))),
  );
}

type DispatchWait = {
  readonly worker: string;
  readonly run?: string | undefined;
  readonly wait_ms: number;
  readonly signal: AbortSignal;
};

async function claimNext(mailbox: Mailbox, wanted: DispatchWait): Promise<PostedDispatch | null> {
  const until = Date.now() + wanted.wait_ms;
  for (;;) {
    for (const row of await mailbox.list()) {
      const fits = wanted.run === undefined || row.run === wanted.run;
      const taken = fits && (row.takenBy === null || row.takenBy === wanted.worker);
      const dispatch = taken ? await mailbox.take(row.id, wanted.worker) : undefined;
      if (dispatch) return dispatch;
    }
    if (Date.now() >= until || wanted.signal.aborted) return null;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function complete(mailbox: Mailbox, id: string, reply: Reply): Promise<CallToolResult> {
  const { answer: before = 0 } = (await mailbox.verdict(id)) ?? {};
  if (!(await mailbox.answer(id, reply))) return reportSubmission(id, false);
  const verdict = await mailbox.judged(id, before, JUDGE_TIMEOUT_MS);
  if (!verdict) return toToolResult({ id, accepted: true, judged: false, message: LATER });
  if (verdict.accepted) return toToolResult({ id, accepted: true });
  const hint = verdict.open ? FIX_CONTRACT : "The attempt failed. The pipeline decides whether it is tried again.";
  return {
    ...toToolResult({ id, accepted: false, open: verdict.open, problem: verdict.problem, hint }),
    isError: true,
  };
}

const LATER = "Submitted. No engine has validated it yet; check run_status for the result.";
const FIX_CONTRACT =
  "The work in the folder is kept. Fix the contract and call dispatch_complete again with the same id and the complete message.";

function reportSubmission(id: string, accepted: boolean) {
  if (accepted) return toToolResult({ id, accepted });
  const message = `You cannot answer dispatch ${id}: it was withdrawn, answered, or claimed by another worker.`;
  return { ...toToolResult({ id, accepted, message, hint: "Claim the next one with dispatch_next." }), isError: true };
}
