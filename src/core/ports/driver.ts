import type { Dialect } from "../contract/dialect.ts";
import type { Failure } from "../failure/failure.ts";
import type { DispatchIdentity, Usage } from "../journal/effect.ts";
import type { Json } from "../text/json.ts";
import type { Processes } from "./processes.ts";

export type DispatchOrder = DispatchIdentity & {
  /** The effect's id: the cookie of every process of this attempt. */
  readonly effect: string;
  readonly run: string;
  readonly dialect: Dialect;
  readonly nonce: string;
  /** What the definition of a signed role carries; drivers that play a role themselves write it. */
  readonly signature?: string;
  readonly prompt: string;
  readonly model?: string;
  readonly schema?: Json;
  /** The answer before could not be used: the same attempt, in the same folder, is asked for another one. */
  readonly repair?: { readonly number: number; readonly problem: string };
  /** Goes on with this conversation instead of beginning one; it began in the same home, with the same driver. */
  readonly session?: string;
  readonly cwd: string;
  /** HOME, XDG and TMPDIR of the attempt lie below it. */
  readonly home: string;
  readonly spool: string;
  /** Its own name and ports, for its environment. */
  readonly variables?: Readonly<Record<string, string>>;
};

/** The variables that name an agent's own folders, and where those lie below its home. */
export const HOME_FOLDERS = {
  XDG_CONFIG_HOME: ".config",
  XDG_CACHE_HOME: ".cache",
  XDG_DATA_HOME: ".local/share",
  XDG_STATE_HOME: ".local/state",
  XDG_RUNTIME_DIR: "run",
  TMPDIR: "tmp",
} as const;

/** What an agent runtime did, as a stream that ends with exactly one `turn.finished` or `turn.failed`. */
export type AgentEvent =
  | { readonly type: "turn.started" }
  /** As early as the agent says it: what the conversation is gone on with, whatever becomes of this turn. */
  | { readonly type: "session.opened"; readonly session: string }
  | { readonly type: "message.added"; readonly text: string }
  | { readonly type: "tool.used"; readonly name: string; readonly detail?: string }
  | { readonly type: "turn.throttled"; readonly message: string; readonly waitMs?: number }
  | {
      readonly type: "turn.finished";
      readonly text: string;
      readonly usage?: Usage;
      /** What the agent gave through the schema of the order, where there was one and it did. */
      readonly answer?: Json;
      /** Answers to this dispatch that were sent back before, by whichever engine. */
      readonly refused?: number;
      /** Can be gone on with: a repair is one more order with it, another prompt and a spool of its own. */
      readonly session?: string;
    }
  | { readonly type: "turn.failed"; readonly failure: Failure; readonly usage?: Usage };

export type Capabilities = {
  /** Holds the agent to the schema of an order and gives the `answer` apart from the text. */
  readonly schema: boolean;
  /** Turns name a `session`, finished or not, and an order can go on with it. */
  readonly resume: boolean;
  /** Has no conversation, but understands an order with `repair`: it is told everything again, with what was wrong. */
  readonly again?: true;
  /** Usage has US dollars. */
  readonly cost: boolean;
  /** What the agent wants to do is allowed or refused one by one, beside what a sandbox does. */
  readonly permissions: boolean;
  /** A canceled agent is asked in its own protocol before it is signaled. */
  readonly cancel: boolean;
};

/**
 * How an agent runtime is started and read.
 *
 * Contract: failures are events, never exceptions; success needs a success event, no error event, no signal of
 * ours and exit 0; after the last event no process of the attempt is alive; the driver never spawns by itself.
 */
export interface Driver {
  readonly name: string;
  readonly can: Capabilities;
  dispatch(order: DispatchOrder, processes: Processes, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** The final event of an attempt whose engine is gone, if it ended by itself and completely. */
  adopt(order: DispatchOrder, processes: Processes): Promise<AgentEvent | undefined>;
  /** The conversation of an attempt that was cut off, from what it has left; only where the driver can resume. */
  session?(order: DispatchOrder, processes: Processes): Promise<string | undefined>;
  /**
   * Only where who works is no child of the engine: whether the attempt goes on without one. Its folder then stays where
   * it is, and to dispatch the same order again is to wait for that same attempt.
   */
  outlives?(order: DispatchOrder): Promise<boolean>;
  /** Only where who answers waits to hear what became of it: undefined for an answer that was taken, else why not. */
  settle?(order: DispatchOrder, problem: string | undefined): Promise<void>;
}
