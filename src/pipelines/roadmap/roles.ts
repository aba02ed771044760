import { defineRole } from "../../core/role.ts";
import {
  ArchitectContract,
  ImplementContract,
  ResearchContract,
  ReviewContract,
  TestingContract,
} from "./contracts.ts";

export const research = defineRole({
  name: "Research",
  does: "Collects facts about the item from the code base and names where each was found, without recommending.",
  contract: ResearchContract,
  signed: true,
});

export const architect = defineRole({
  name: "Architect",
  does: "Records the design of an item as an ADR, or compares finished work with that ADR.",
  contract: ArchitectContract,
  writes: true,
  signed: true,
});

export const implement = defineRole({
  name: "Implement",
  does: "Builds the item so that each acceptance criterion holds, and lists every file it touched.",
  contract: ImplementContract,
  writes: true,
});

export const testing = defineRole({
  name: "Testing",
  does: "Writes and runs tests for the item: the good path, the error path and at least one edge.",
  contract: TestingContract,
  writes: true,
  signed: true,
});

export const review = defineRole({
  name: "Review",
  does: "Judges the finished item by lint, types, build and reading, and says whether it ships.",
  contract: ReviewContract,
  signed: true,
});
