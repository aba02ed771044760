import { z } from "zod";

/** Dispatch for an external agent: an editor, another agent program. */
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
  /** Folder to work in: the attempt's own repository. */
  cwd: z.string(),
  prompt: z.string(),
  /** Environment of everything started for it: identity of the dispatch, its own name and ports. */
  environment: z.record(z.string(), z.string()).optional(),
  model: z.string().optional(),
});
export type PostedDispatch = z.infer<typeof PostedDispatch>;

export const Reply = z.object({
  by: z.string(),
  /** Final message, including the contract. */
  message: z.string().optional(),
  /** Reason for a missing message. */
  error: z.string().optional(),
  usage: z
    .object({ inputTokens: z.number().optional(), outputTokens: z.number().optional(), usd: z.number().optional() })
    .optional(),
});
export type Reply = z.infer<typeof Reply> & {
  /** Reason why the reply cannot be read. Replaces both. */
  readonly unreadable?: string;
};

/** Result of an answer. Answers are counted from 1. */
export const AnswerVerdict = z.object({
  answer: z.number().int(),
  accepted: z.boolean(),
  /** The answer was sent back, and the dispatch waits for another one. */
  open: z.boolean(),
  problem: z.string().optional(),
});
export type AnswerVerdict = z.infer<typeof AnswerVerdict>;

export type MailboxEntry = PostedDispatch & { readonly takenBy: string | null };

/**
 * Exchanges dispatches as rows: the engine posts them and waits for replies, external agents take them and reply.
 *
 * Contract: a dispatch is taken by one taker at a time, has at most one reply at a time, and is gone after it is
 * withdrawn. A reply that was sent back is removed before the next one can be given.
 */
export interface Mailbox {
  /** Posts a dispatch. An existing one stays unchanged, and with its taker. */
  post(dispatch: PostedDispatch): Promise<void>;
  /** Returns whether it was posted and not withdrawn, answered or not. */
  holds(id: string): Promise<boolean>;
  reply(id: string): Promise<Reply | undefined>;
  /** Resolves when a reply has arrived, or the signal fires. */
  replied(id: string, signal: AbortSignal): Promise<Reply | undefined>;
  withdraw(id: string): Promise<void>;
  /** Sends the reply back. The dispatch waits with this new prompt for another reply of the same taker. */
  reopen(dispatch: PostedDispatch, problem: string): Promise<void>;
  /** Records the final result of the reply: accepted, or the problem. */
  settle(id: string, problem: string | undefined): Promise<void>;
  /** Returns the result of the last judged answer. */
  verdict(id: string): Promise<AnswerVerdict | undefined>;
  /** Resolves with the result of an answer after this one, or with undefined if it is not judged in time. */
  judged(id: string, after: number, waitMs: number): Promise<AnswerVerdict | undefined>;
  /** Withdraws every dispatch of an ended run, answered or not. */
  withdrawAll(run: string): Promise<void>;
  /** Lists unanswered dispatches, oldest first. */
  list(): Promise<readonly MailboxEntry[]>;
  /** Takes the dispatch if it is free, or was taken by the same taker before. */
  take(id: string, by: string): Promise<PostedDispatch | undefined>;
  /** Returns false if the dispatch is gone, already answered, or taken by another taker. */
  answer(id: string, reply: Reply): Promise<boolean>;
}
