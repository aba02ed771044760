import { expect, test } from "vitest";
import { z } from "zod";
import { defineRole } from "../../../core/authoring/role.ts";
import type { AttemptRequest } from "../../../core/journal/effect.ts";
import type { Definition } from "../../../core/ports/definitions.ts";
import { formatPrompt } from "./prompt.ts";

const role = defineRole({
  name: "critic",
  does: "Criticizes.",
  prompt: "You are the built-in critic.",
  protocol: "Write `critic.md`; findings begin with their severity.",
  contract: z.object({ line: z.enum(["DONE", "ERROR"]), message: z.string() }),
  writes: true,
});

// Of a request a prompt shows its input and its nonce; what else it may have is not looked at here.
const request = { input: { about: "design.md" }, nonce: "n1", rendered: [] } as unknown as AttemptRequest;

// A prompt has no use for the driver.
const promptWith = (definition: Pick<Definition, "prompt" | "from">): string =>
  formatPrompt({ definition: definition as Definition, role, request, dialect: "line" });

test("[A-06] a repository's definition says who the agent is, and what the engine needs of the role is added to it", () => {
  const prompt = promptWith({ prompt: "You are a dragon. End with DONE.", from: ".github/agents/critic.agent.md" });
  expect(prompt).toMatch(/^You are a dragon\./);
  expect(prompt).not.toContain("built-in critic");
  expect(prompt).toContain("follow the text below.\n\nWrite `critic.md`; findings begin with their severity.");
  expect(prompt).toContain("DONE[n1]:");
});

test("a built-in role is told the same without a word about any text above", () => {
  const prompt = promptWith({ prompt: role.prompt ?? "", from: "built in" });
  expect(prompt).toContain("You are the built-in critic.\n\nWrite `critic.md`");
  expect(prompt).not.toContain("follow the text below");
});
