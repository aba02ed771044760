import type { AgentProcess } from "../agent-process.ts";
import { toObject } from "../to-object.ts";

// JSON-RPC as used by the Agent Client Protocol: one message per line. Hand-written, because a client starts for every
// turn: loading a library with the protocol's schemas takes longer than starting the agent.

/** The error that one side returns instead of an answer. */
export class PeerError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const createNotFoundError = (path: string) =>
  new PeerError(-32002, `Resource not found: ${path}`, { uri: path });
export const createInvalidParamsError = (why: string, data?: unknown) =>
  new PeerError(-32602, `Invalid params: ${why}`, data);
const createMethodNotFoundError = (method: string) => new PeerError(-32601, `Method not found: ${method}`, { method });

/** Request handlers by method. A handler may throw a PeerError. */
export type RequestHandlers = Readonly<Record<string, (params: unknown) => unknown>>;

export type Peer = {
  /**
   * Rejects with a PeerError if the agent returns an error, or with another error once it has closed the connection.
   */
  request(method: string, params: object): Promise<Readonly<Record<string, unknown>>>;
  notify(method: string, params: object): void;
};

type PendingRequest = PromiseWithResolvers<Readonly<Record<string, unknown>>>;

export function createPeer(agent: Pick<AgentProcess, "input" | "output">, answers: RequestHandlers): Peer {
  const pending = new Map<unknown, PendingRequest>();
  const send = (message: object) => {
    if (agent.input.writable) agent.input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const receive = (message: RpcMessage) => {
    if (typeof message.method === "string") {
      // Notifications need no handling: they are already in the recorded output.
      if (message.id !== undefined) send({ id: message.id, ...answerRequest(message.method, message.params, answers) });
      return;
    }
    const asked = pending.get(message.id);
    pending.delete(message.id);
    if (message.error === undefined) asked?.resolve(toObject(message.result));
    else asked?.reject(toPeerError(message.error));
  };
  const rejectPending = () => {
    for (const asked of pending.values()) asked.reject(new Error("the agent closed the connection"));
    pending.clear();
  };
  void readMessages(agent.output, receive).then(rejectPending, rejectPending);
  let asked = 0;
  return {
    request(method, params) {
      const answer: PendingRequest = Promise.withResolvers();
      if (agent.output.readableEnded || agent.output.destroyed)
        answer.reject(new Error("the agent closed the connection"));
      else {
        pending.set(asked, answer);
        send({ id: asked, method, params });
        asked += 1;
      }
      return answer.promise;
    },
    notify: (method, params) => send({ method, params }),
  };
}

type RpcMessage = {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
};

async function readMessages(output: AsyncIterable<Buffer>, receive: (message: RpcMessage) => void): Promise<void> {
  // Each chunk contains complete lines.
  for await (const chunk of output) {
    for (const line of chunk.toString("utf8").split("\n")) {
      const message = parseMessage(line);
      if (message) receive(message);
    }
  }
}

/** Returns undefined for noise and truncated lines. */
function parseMessage(line: string): RpcMessage | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    // An object, because it starts with a brace. Its fields are validated where they are used.
    return JSON.parse(line) as RpcMessage;
  } catch {
    return undefined;
  }
}

function answerRequest(method: string, params: unknown, answers: RequestHandlers): object {
  try {
    if (!Object.hasOwn(answers, method)) throw createMethodNotFoundError(method);
    return { result: answers[method]?.(params) ?? null };
  } catch (error) {
    const { code, data } = error instanceof PeerError ? error : { code: -32603, data: undefined };
    const message = error instanceof Error ? error.message : String(error);
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}

function toPeerError(error: unknown): PeerError {
  const { code, message, data } = toObject(error);
  return new PeerError(typeof code === "number" ? code : -32603, typeof message === "string" ? message : "", data);
}
