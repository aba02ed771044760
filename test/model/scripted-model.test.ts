import { expect, test } from "vitest";
import type { ModelRequest } from "./play.ts";
import { type Dispatch, scriptedModel } from "./scripted-model.ts";

const DISPATCH: Dispatch = {
  effect: "r/2 Build/builder@1",
  run: "r",
  pipeline: "p",
  phase: "2 Build",
  role: "builder",
  instance: "builder",
  task: "t",
  round: 1,
  attempt: 1,
  nonce: "n0nce",
  dialect: "markdown",
};
const AGENTS = [
  { role: "builder", round: 2, output: { status: "success" } },
  {
    role: "builder",
    do: [{ write: { path: "a.js", content: "1;\n" } }, { delete: "b.js" }, { sleep: 9 }, { run: "ls" }],
    output: { status: "done" },
  },
];
const model = scriptedModel(AGENTS, (prompt) => (prompt.includes(DISPATCH.nonce) ? DISPATCH : undefined));
const asked = (results: number, prompt = "SIGNED_VALUE: RED_FOX\nNonce: n0nce"): ModelRequest => ({
  tools: [],
  prompt,
  prompts: [prompt],
  results,
  stream: true,
});

test("a scripted model reads a file, writes it, and performs the rest of its rule in order", () => {
  expect([0, 1, 2, 3].map((results) => model(asked(results)))).toEqual([
    { read: "a.js" },
    { write: { path: "a.js", content: "1;\n" } },
    { shell: "rm -rf 'b.js'" },
    { shell: "ls" },
  ]);
});

test("its last message is the contract in the pipeline's dialect, with the nonce and the signature of its prompt", () => {
  const said = model(asked(4));
  expect(said).toHaveProperty("text", expect.stringContaining("n0nce"));
  expect(said).toHaveProperty("text", expect.stringContaining("RED_FOX"));
  expect(said).toHaveProperty("text", expect.stringContaining("done"));
});

test("a repeated request gets the same answer", () => {
  expect(model(asked(1))).toEqual(model(asked(1)));
});

test("a client that cannot use a deliberately broken answer gets the correct one next", () => {
  const spoiling = scriptedModel([{ do: [{ misbehave: "no-contract" }], output: { status: "done" } }], () => DISPATCH);
  expect(spoiling(asked(0))).toHaveProperty("text", expect.not.stringContaining("n0nce"));
  expect(spoiling(asked(0, "What you said could not be used."))).toHaveProperty(
    "text",
    expect.stringContaining("n0nce"),
  );
});

test("a prompt outside any dispatch is refused with a message", () => {
  expect(model(asked(0, "Give this chat a title."))).toEqual({ text: "This prompt belongs to no dispatch." });
});
