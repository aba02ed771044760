import { z } from "zod";

/** A dispatch that waits for somebody outside to take it: an editor, another agent program. */
export const PostedDispatch = z.object({
  id: z.string(),
  run: z.string(),
  pipeline: z.string(),
  phase: z.string(),
  role: z.string(),
  instance: z.string(),
  task: z.string(),
  round: z.number(),
  attempt: z.number(),
  /** The folder to work in: a repository of the attempt's own. */
  cwd: z.string(),
  prompt: z.string(),
  model: z.string().optional(),
});
export type PostedDispatch = z.infer<typeof PostedDispatch>;

export const Reply = z.object({
  by: z.string(),
  /** The final message, contract included. */
  message: z.string().optional(),
  /** Instead of a message: why there is none. */
  error: z.string().optional(),
  usage: z
    .object({ inputTokens: z.number().optional(), outputTokens: z.number().optional(), usd: z.number().optional() })
    .optional(),
});
export type Reply = z.infer<typeof Reply>;

export type Listed = PostedDispatch & { readonly takenBy: string | null };

/**
 * Dispatches as rows: one side posts them and waits for replies, the other takes them and replies.
 * Contract: a dispatch is taken by one at a time, has at most one reply, and is gone once it is withdrawn.
 */
export interface Mailbox {
  post(dispatch: PostedDispatch): Promise<void>;
  reply(id: string): Promise<Reply | undefined>;
  /** Resolves when a reply is there, or the signal fires. */
  replied(id: string, signal: AbortSignal): Promise<Reply | undefined>;
  withdraw(id: string): Promise<void>;
  /** What waits for a reply, oldest first. */
  list(): Promise<readonly Listed[]>;
  /** The dispatch, when it is free, or was taken by the same taker before. */
  take(id: string, by: string): Promise<PostedDispatch | undefined>;
  /** False when the dispatch is gone, answered, or in somebody else's hands. */
  answer(id: string, reply: Reply): Promise<boolean>;
}
