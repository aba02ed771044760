import { defineRole } from "../../core/authoring/role.ts";
import {
  ArchitectContract,
  ImplementContract,
  ResearchContract,
  ReviewContract,
  TestingContract,
} from "./contracts.ts";
import { architect as architectPrompt } from "./prompts/architect.ts";
import { implement as implementPrompt } from "./prompts/implement.ts";
import { research as researchPrompt } from "./prompts/research.ts";
import { review as reviewPrompt } from "./prompts/review.ts";
import { testing as testingPrompt } from "./prompts/testing.ts";

export const research = defineRole({
  name: "Research",
  does: "Collects facts about the item, each with its location, without recommendations.",
  prompt: researchPrompt,
  contract: ResearchContract,
  signed: true,
});

export const architect = defineRole({
  name: "Architect",
  does: "Records the design of an item as an ADR, or compares finished work with that ADR.",
  prompt: architectPrompt,
  contract: ArchitectContract,
  writes: true,
  signed: true,
});

/** Unsigned: any coding agent of the user can implement, so it has no definition with a SIGNED_VALUE. */
export const implement = defineRole({
  name: "Implement",
  does: "Implements the item so that each acceptance criterion holds, and lists every changed file.",
  prompt: implementPrompt,
  contract: ImplementContract,
  writes: true,
});

export const testing = defineRole({
  name: "Testing",
  does: "Writes and runs tests for the item: the success path, the error path and at least one edge case.",
  prompt: testingPrompt,
  contract: TestingContract,
  writes: true,
  signed: true,
});

export const review = defineRole({
  name: "Review",
  does: "Reviews the finished item by lint, types, build and reading, and decides whether it ships.",
  prompt: reviewPrompt,
  contract: ReviewContract,
  signed: true,
});
