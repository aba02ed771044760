import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Mailbox, PostedDispatch, Reply } from "../../core/ports/mailbox.ts";
import type { McpPort } from "./port.ts";
import { orRefusal, told } from "./tool-result.ts";

const LONGEST_WAIT_MS = 50_000;
const LOOK_AGAIN_MS = 250;
/** The engine reads an answer and takes the files within seconds. */
const JUDGED_WITHIN_MS = 30_000;

const worker = z
  .string()
  .default("client")
  .describe("a name for whoever does the work; each sub-agent that works beside others needs its own");
const usage = z
  .object({ inputTokens: z.number(), outputTokens: z.number(), usd: z.number() })
  .partial()
  .optional()
  .describe("what it cost, where that is known");

/** Fetching and answering dispatches: the client's own agents play the roles, the engine keeps the gates. */
export function addDispatchTools(server: McpServer, { mailbox }: McpPort): void {
  server.registerTool(
    "dispatch_next",
    {
      description:
        "Takes the next dispatch that waits: a prompt and the folder to work in. Null when none came while it waited.",
      inputSchema: z.object({
        worker,
        run: z.string().optional().describe("only dispatches of this run"),
        wait_ms: z.number().int().min(0).max(LONGEST_WAIT_MS).default(0).describe("how long to wait for one"),
      }),
    },
    (given, context) => orRefusal(async () => told(await next(mailbox, { ...given, signal: context.mcpReq.signal }))),
  );
  server.registerTool(
    "dispatch_complete",
    {
      description:
        "Gives back the final message of a dispatch, the contract at its end. The engine judges it: one that cannot be read is sent back with what is wrong, and the same dispatch waits for another answer; the work in its folder is kept.",
      inputSchema: z.object({ id: z.string(), message: z.string().min(1), worker, usage }),
    },
    ({ id, message, worker: by, usage: cost }) =>
      orRefusal(() => complete(mailbox, id, { by, message, ...(cost ? { usage: cost } : {}) })),
  );
  server.registerTool(
    "dispatch_fail",
    {
      description:
        "Says that a dispatch could not be done, and why; the pipeline's own policy decides about another try.",
      inputSchema: z.object({ id: z.string(), error: z.string().min(1), worker }),
    },
    ({ id, error, worker: by }) => orRefusal(async () => given(id, await mailbox.answer(id, { by, error }))),
  );
}

type DispatchWait = {
  readonly worker: string;
  readonly run?: string | undefined;
  readonly wait_ms: number;
  readonly signal: AbortSignal;
};

async function next(mailbox: Mailbox, wanted: DispatchWait): Promise<PostedDispatch | null> {
  const until = Date.now() + wanted.wait_ms;
  for (;;) {
    for (const row of await mailbox.list()) {
      const fits = wanted.run === undefined || row.run === wanted.run;
      const taken = fits && (row.takenBy === null || row.takenBy === wanted.worker);
      const dispatch = taken ? await mailbox.take(row.id, wanted.worker) : undefined;
      if (dispatch) return dispatch;
    }
    if (Date.now() >= until || wanted.signal.aborted) return null;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

async function complete(mailbox: Mailbox, id: string, reply: Reply): Promise<CallToolResult> {
  const { answer: before = 0 } = (await mailbox.verdict(id)) ?? {};
  if (!(await mailbox.answer(id, reply))) return given(id, false);
  const verdict = await mailbox.judged(id, before, JUDGED_WITHIN_MS);
  if (!verdict) return told({ id, accepted: true, judged: false, message: LATER });
  if (verdict.accepted) return told({ id, accepted: true });
  const hint = verdict.open ? MEND : "The attempt has failed; whether it is tried again is the pipeline's to decide.";
  return { ...told({ id, accepted: false, open: verdict.open, problem: verdict.problem, hint }), isError: true };
}

const LATER = "It was given back. No engine has judged it yet; run_status says what becomes of it.";
const MEND =
  "The work in the folder is kept. Mend the contract and call dispatch_complete again with the same id and the whole of it.";

function given(id: string, accepted: boolean) {
  if (accepted) return told({ id, accepted });
  const message = `The dispatch ${id} is not yours to answer: it was withdrawn, answered, or taken by another worker.`;
  return { ...told({ id, accepted, message, hint: "Ask for the next one with dispatch_next." }), isError: true };
}
