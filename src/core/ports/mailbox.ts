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
  /** For all that is started for it: which dispatch it is, its own name and ports. */
  environment: z.record(z.string(), z.string()).optional(),
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
export type Reply = z.infer<typeof Reply> & {
  /** In place of both: what was given cannot be read, and this is why. */
  readonly unreadable?: string;
};

/** What became of an answer; they are counted from 1. */
export const AnswerVerdict = z.object({
  answer: z.number().int(),
  accepted: z.boolean(),
  /** It was sent back, and the dispatch waits for another one. */
  open: z.boolean(),
  problem: z.string().optional(),
});
export type AnswerVerdict = z.infer<typeof AnswerVerdict>;

export type MailboxEntry = PostedDispatch & { readonly takenBy: string | null };

/**
 * Dispatches as rows: one side posts them and waits for replies, the other takes them and replies.
 * Contract: a dispatch is taken by one at a time, has at most one reply at a time, and is gone once it is withdrawn. A
 * reply that was sent back is gone before a next one can be given.
 */
export interface Mailbox {
  /** One that is there already stays as it is, and with whoever took it. */
  post(dispatch: PostedDispatch): Promise<void>;
  /** Whether it was posted and not withdrawn, answered or not. */
  holds(id: string): Promise<boolean>;
  reply(id: string): Promise<Reply | undefined>;
  /** Resolves when a reply is there, or the signal fires. */
  replied(id: string, signal: AbortSignal): Promise<Reply | undefined>;
  withdraw(id: string): Promise<void>;
  /** Sends the reply back: the dispatch, with this prompt now, waits for another one from whoever has it. */
  reopen(dispatch: PostedDispatch, problem: string): Promise<void>;
  /** The last word about the reply: taken, or why not. */
  settle(id: string, problem: string | undefined): Promise<void>;
  /** What became of the answer that was judged last. */
  verdict(id: string): Promise<AnswerVerdict | undefined>;
  /** Resolves with what became of an answer after this one, or with nothing when it is not judged in time. */
  judged(id: string, after: number, waitMs: number): Promise<AnswerVerdict | undefined>;
  /** All that the run has posted, answered or not: it has ended. */
  withdrawAll(run: string): Promise<void>;
  /** What waits for a reply, oldest first. */
  list(): Promise<readonly MailboxEntry[]>;
  /** The dispatch, when it is free, or was taken by the same taker before. */
  take(id: string, by: string): Promise<PostedDispatch | undefined>;
  /** False when the dispatch is gone, answered, or in somebody else's hands. */
  answer(id: string, reply: Reply): Promise<boolean>;
}
