import { defineRole } from "../../core/authoring/role.ts";
import { loadRolePrompt } from "../role-prompt.ts";
import {
  ArchitectContract,
  ImplementContract,
  ResearchContract,
  ReviewContract,
  TestingContract,
} from "./contracts.ts";

export const research = defineRole({
  ...loadRolePrompt(import.meta.url, "research"),
  contract: ResearchContract,
  signed: true,
});

export const architect = defineRole({
  ...loadRolePrompt(import.meta.url, "architect"),
  contract: ArchitectContract,
  writes: true,
  signed: true,
});

/** Unsigned: any coding agent of the user can implement, so it has no definition with a SIGNED_VALUE. */
export const implement = defineRole({
  ...loadRolePrompt(import.meta.url, "implement"),
  contract: ImplementContract,
  writes: true,
});

export const testing = defineRole({
  ...loadRolePrompt(import.meta.url, "testing"),
  contract: TestingContract,
  writes: true,
  signed: true,
});

export const review = defineRole({
  ...loadRolePrompt(import.meta.url, "review"),
  contract: ReviewContract,
  signed: true,
});
