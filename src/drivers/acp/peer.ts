import type { AgentProcess } from "../agent-process.ts";
import { objectOf } from "../object-of.ts";

// JSON-RPC as the Agent Client Protocol uses it: one message per line. Written out, because a client is loaded anew for
// every turn: a library with the schemas of the whole protocol takes longer to load than the agents take to start.

/** What one side tells the other instead of an answer. */
export class PeerError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const notFound = (path: string) => new PeerError(-32002, `Resource not found: ${path}`, { uri: path });
export const invalidParams = (why: string, data?: unknown) => new PeerError(-32602, `Invalid params: ${why}`, data);
const methodNotFound = (method: string) => new PeerError(-32601, `Method not found: ${method}`, { method });

/** By method: what the agent may ask. It may throw a PeerError. */
export type Answers = Readonly<Record<string, (params: unknown) => unknown>>;

export type Peer = {
  /** Rejects with what the agent says instead of an answer, or with another error once it has hung up. */
  request(method: string, params: object): Promise<Readonly<Record<string, unknown>>>;
  notify(method: string, params: object): void;
};

type Pending = PromiseWithResolvers<Readonly<Record<string, unknown>>>;

export function peerOf(agent: Pick<AgentProcess, "input" | "output">, answers: Answers): Peer {
  const pending = new Map<unknown, Pending>();
  const send = (message: object) => {
    if (agent.input.writable) agent.input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const hear = (message: Message) => {
    if (typeof message.method === "string") {
      // What wants no answer is only told: it is in the record already.
      if (message.id !== undefined) send({ id: message.id, ...answerTo(message.method, message.params, answers) });
      return;
    }
    const asked = pending.get(message.id);
    pending.delete(message.id);
    if (message.error === undefined) asked?.resolve(objectOf(message.result));
    else asked?.reject(errorOf(message.error));
  };
  const hungUp = () => {
    for (const asked of pending.values()) asked.reject(new Error("the agent has hung up"));
    pending.clear();
  };
  void listen(agent.output, hear).then(hungUp, hungUp);
  let asked = 0;
  return {
    request(method, params) {
      const answer: Pending = Promise.withResolvers();
      if (agent.output.readableEnded || agent.output.destroyed) answer.reject(new Error("the agent has hung up"));
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

type Message = {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
};

async function listen(output: AsyncIterable<Buffer>, hear: (message: Message) => void): Promise<void> {
  // Each chunk holds whole lines.
  for await (const chunk of output) {
    for (const line of chunk.toString("utf8").split("\n")) {
      const message = messageIn(line);
      if (message) hear(message);
    }
  }
}

/** Undefined for noise and for lines that were cut. */
function messageIn(line: string): Message | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    // An object, by its first sign; what is in it is looked at where it is used.
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}

function answerTo(method: string, params: unknown, answers: Answers): object {
  try {
    if (!Object.hasOwn(answers, method)) throw methodNotFound(method);
    return { result: answers[method]?.(params) ?? null };
  } catch (error) {
    const { code, data } = error instanceof PeerError ? error : { code: -32603, data: undefined };
    const message = error instanceof Error ? error.message : String(error);
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}

function errorOf(error: unknown): PeerError {
  const { code, message, data } = objectOf(error);
  return new PeerError(typeof code === "number" ? code : -32603, typeof message === "string" ? message : "", data);
}
