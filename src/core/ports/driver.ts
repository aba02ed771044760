import type { Dialect } from "../contract/dialect.ts";
import type { Failure } from "../failure/failure.ts";
import type { DispatchIdentity, Usage } from "../journal/effect.ts";
import type { Json } from "../text/json.ts";
import type { Processes } from "./processes.ts";

export type DispatchOrder = DispatchIdentity & {
  /** Id of the effect, set as cookie in every process of this attempt. */
  readonly effect: string;
  readonly run: string;
  readonly dialect: Dialect;
  readonly nonce: string;
  /** Signed value of the role's definition. Drivers that answer without an agent write it into the contract. */
  readonly signature?: string;
  readonly prompt: string;
  readonly model?: string;
  readonly schema?: Json;
  /** The previous answer was unusable: the same attempt is asked for another one in the same folder. */
  readonly repair?: { readonly number: number; readonly problem: string };
  /** Conversation to continue instead of starting one. It was started in the same home with the same driver. */
  readonly session?: string;
  readonly cwd: string;
  /** Parent folder of the attempt's HOME, XDG and TMPDIR folders. */
  readonly home: string;
  readonly spool: string;
  /** Name and ports of the attempt, for its environment. */
  readonly variables?: Readonly<Record<string, string>>;
};

/** Variables that locate an agent's own folders, with the paths below its home. */
export const HOME_FOLDERS = {
  XDG_CONFIG_HOME: ".config",
  XDG_CACHE_HOME: ".cache",
  XDG_DATA_HOME: ".local/share",
  XDG_STATE_HOME: ".local/state",
  XDG_RUNTIME_DIR: "run",
  TMPDIR: "tmp",
} as const;

/** Events of an agent runtime. The stream ends with exactly one `turn.finished` or `turn.failed`. */
export type AgentEvent =
  | { readonly type: "turn.started" }
  /** Sent as soon as the agent reports it, so that the conversation can be continued even if this turn fails. */
  | { readonly type: "session.opened"; readonly session: string }
  | { readonly type: "message.added"; readonly text: string }
  | { readonly type: "tool.used"; readonly name: string; readonly detail?: string }
  | { readonly type: "turn.throttled"; readonly message: string; readonly waitMs?: number }
  | {
      readonly type: "turn.finished";
      readonly text: string;
      readonly usage?: Usage;
      /** Structured answer through the order's schema, if the agent gave one. */
      readonly answer?: Json;
      /** Number of earlier answers to this dispatch that were sent back, by any engine. */
      readonly refused?: number;
      /** Conversation that can be continued: a repair is another order with it, a new prompt and its own spool. */
      readonly session?: string;
    }
  | { readonly type: "turn.failed"; readonly failure: Failure; readonly usage?: Usage };

export type Capabilities = {
  /** Enforces the schema of an order and returns the `answer` separately from the text. */
  readonly schema: boolean;
  /** Turns report a `session`, finished or not, and an order can continue it. */
  readonly resume: boolean;
  /** Has no conversations but supports `repair`: the full prompt is sent again with the problem. */
  readonly again?: true;
  /** Usage includes US dollars. */
  readonly cost: boolean;
  /** The agent's actions are allowed or denied one by one, in addition to a sandbox. */
  readonly permissions: boolean;
  /** A canceled agent is first asked to stop in its own protocol, then signaled. */
  readonly cancel: boolean;
};

/**
 * Starts an agent runtime and reads its output.
 *
 * Contract: failures are events, never exceptions; success requires a success event, no error event, no signal from the
 * engine and exit 0; after the last event no process of the attempt is alive; the driver never spawns processes by
 * itself.
 */
export interface Driver {
  readonly name: string;
  readonly can: Capabilities;
  dispatch(order: DispatchOrder, processes: Processes, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** Returns the final event of an attempt whose engine is gone, if the attempt ended by itself and completely. */
  adopt(order: DispatchOrder, processes: Processes): Promise<AgentEvent | undefined>;
  /** Reads the conversation of an interrupted attempt from its spool. Only for drivers that can resume. */
  session?(order: DispatchOrder, processes: Processes): Promise<string | undefined>;
  /**
   * Returns whether the attempt continues without the engine. Only for drivers whose agent is not a child process. The
   * folder then stays where it is, and dispatching the same order again waits for the same attempt.
   */
  outlives?(order: DispatchOrder): Promise<boolean>;
  /** Reports the result of an answer to a waiting sender: undefined if it was accepted, else the problem. */
  settle?(order: DispatchOrder, problem: string | undefined): Promise<void>;
}
