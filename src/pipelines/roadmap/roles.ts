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
  does: "Collects facts about the item from the code base and names where each was found, without recommending.",
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

/** Whatever coding agent the user has: it has no definition of its own to sign with. */
export const implement = defineRole({
  name: "Implement",
  does: "Builds the item so that each acceptance criterion holds, and lists every file it touched.",
  prompt: implementPrompt,
  contract: ImplementContract,
  writes: true,
});

export const testing = defineRole({
  name: "Testing",
  does: "Writes and runs tests for the item: the good path, the error path and at least one edge.",
  prompt: testingPrompt,
  contract: TestingContract,
  writes: true,
  signed: true,
});

export const review = defineRole({
  name: "Review",
  does: "Judges the finished item by lint, types, build and reading, and says whether it ships.",
  prompt: reviewPrompt,
  contract: ReviewContract,
  signed: true,
});
