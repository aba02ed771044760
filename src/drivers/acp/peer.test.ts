import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createInvalidParamsError, createPeer, PeerError, type RequestHandlers } from "./peer.ts";

/** The agent's end of the connection: the lines it sends and those it received. */
function line(answers: RequestHandlers = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const peer = createPeer({ input, output }, answers);
  const says = (message: object | string) =>
    output.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
  const told = (): unknown => JSON.parse(String(input.read()));
  return { peer, says, told, hangUp: () => output.end() };
}

/** All lines have been processed. */
const heard = () => new Promise((resolve) => setImmediate(resolve));

test("answers are matched to their requests, in any order", async () => {
  const { peer, says } = line();
  const answers = Promise.all([peer.request("a", {}), peer.request("b", {})]);
  says({ jsonrpc: "2.0", id: 1, result: { of: "b" } });
  says({ jsonrpc: "2.0", id: 0, result: { of: "a" } });
  expect(await answers).toEqual([{ of: "a" }, { of: "b" }]);
});

test("an error of the agent is distinguished from a closed connection", async () => {
  const { peer, says, hangUp } = line();
  const refused = peer.request("a", {});
  says({ jsonrpc: "2.0", id: 0, error: { code: -32000, message: "log in", data: { by: "key" } } });
  await expect(refused).rejects.toMatchObject({ code: -32000, message: "log in", data: { by: "key" } });
  const lost = peer.request("b", {});
  hangUp();
  await expect(lost).rejects.not.toBeInstanceOf(PeerError);
  await expect(peer.request("c", {})).rejects.not.toBeInstanceOf(PeerError);
});

test.each([
  ["answered", "ask", { result: "yes" }],
  ["refused with an error", "refuse", { error: { code: -32602, message: "Invalid params: no path" } }],
  ["answered with an internal error", "break", { error: { code: -32603, message: "broken" } }],
  ["answered as an unknown method", "toString", { error: { code: -32601, data: { method: "toString" } } }],
])("a request of the agent is %s", async (_how, method, answer) => {
  const { says, told } = line({
    ask: () => "yes",
    refuse: () => {
      throw createInvalidParamsError("no path");
    },
    break: () => {
      throw new Error("broken");
    },
  });
  says({ jsonrpc: "2.0", id: "q", method, params: {} });
  await heard();
  expect(told()).toMatchObject({ jsonrpc: "2.0", id: "q", ...answer });
});

test("noise, truncated lines and answers to no request are ignored", async () => {
  const { peer, says } = line();
  const answer = peer.request("a", {});
  says('{"jsonrpc":"2.0","id":0,"resu\n{"id":7,"result":{}}\nhello\n{"method":"session/update","params":1}\n');
  says({ jsonrpc: "2.0", id: 0, result: null });
  expect(await answer).toEqual({});
});
