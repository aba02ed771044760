import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { DispatchOrder, Driver } from "../src/core/ports/driver.ts";
import type { ProcessOrder } from "../src/core/ports/processes.ts";
import type { ClientOrder } from "../src/drivers/acp/client-line.ts";
import type { ClaudeOrder } from "../src/drivers/claude/conversation.ts";

/** Returns the process that a driver would start for this order: program, arguments, environment, standard input. */
export async function captureProcess(driver: Driver, order: DispatchOrder): Promise<ProcessOrder> {
  let asked: ProcessOrder | undefined;
  const start = async (process: ProcessOrder): Promise<never> => {
    asked = process;
    throw new Error("the process is only captured, not started");
  };
  const processes = { start, remains: async () => undefined, intact: () => false, sweep: async () => 0 };
  for await (const _event of driver.dispatch(order, processes, new AbortController().signal)) {
    // The driver can only report that nothing was started.
  }
  if (asked === undefined) throw new Error(`${driver.name} starts no process`);
  return asked;
}

/** Measures the bare process as our child, from the call to its end. */
export async function callByHand(order: ProcessOrder): Promise<number> {
  const from = performance.now();
  const child = spawn(order.command, order.args, { cwd: order.cwd, env: order.env, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.end(order.stdin ?? "");
  child.stdout.resume();
  await endOf(child);
  return performance.now() - from;
}

/**
 * Runs Claude Code as a person calls it, with the prompt on its input and without our client, which is part of the
 * driver.
 */
export async function promptByHand(order: ProcessOrder): Promise<number> {
  // The driver passes this to its client.
  const { command, args, prompt } = JSON.parse(order.stdin ?? "") as ClaudeOrder;
  const model = args.slice(args.indexOf("--model"), args.indexOf("--model") + 2);
  const plain = ["-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits", ...model];
  return callByHand({ ...order, command, args: plain, stdin: prompt });
}

/** Does the same for a program that speaks the Agent Client Protocol, without our client. */
export async function talkByHand(order: ProcessOrder): Promise<number> {
  // The driver passes this to its client.
  const { command, args, prompt } = JSON.parse(order.stdin ?? "") as ClientOrder;
  const from = performance.now();
  const child = spawn(command, args, { cwd: order.cwd, env: order.env, stdio: ["pipe", "pipe", "ignore"] });
  const ask = createPeer(child);
  await ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await ask("session/new", { cwd: order.cwd, mcpServers: [] });
  await ask("session/prompt", { sessionId, prompt: [{ type: "text", text: prompt }] });
  child.stdin?.end();
  await endOf(child);
  return performance.now() - from;
}

type Message = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly options?: readonly { readonly kind: string; readonly optionId: string }[] };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
};

/** Sends one request at a time and allows every request of the program. */
function createPeer(child: ChildProcess) {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error("the agent has no pipes");
  const say = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let next = 0;
  let answer = Promise.withResolvers<Readonly<Record<string, unknown>>>();
  createInterface({ input: stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return;
    // A program that speaks the protocol prints no other lines with braces.
    const { id, method, params, result, error } = JSON.parse(line) as Message;
    if (method === undefined && id === next) {
      if (result) answer.resolve(result);
      else answer.reject(new Error(`the agent answered with an error: ${JSON.stringify(error)}`));
    }
    if (method !== "session/request_permission") return;
    const optionId = params?.options?.find(({ kind }) => kind === "allow_once")?.optionId;
    say({ id, result: { outcome: { outcome: "selected", optionId } } });
  });
  child.once("exit", () => answer.reject(new Error("the agent exited")));
  return (method: string, params: object) => {
    next += 1;
    answer = Promise.withResolvers();
    say({ id: next, method, params });
    return answer.promise;
  };
}

async function endOf(child: ChildProcess): Promise<void> {
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`${child.spawnfile} exited with ${code}`);
}
