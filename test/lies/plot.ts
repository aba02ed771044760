import type { Announcement } from "../../src/core/authoring/announcement.ts";
import type { Plot } from "./casts/cast.ts";
import type { Entry } from "./entry.ts";
import { projects } from "./projects/all.ts";

const COMMANDS = {
  javascript: "node --test",
  python: "python3 -m unittest",
  cpp: "make test",
  typescript: "node --test",
  c: "make test",
  go: "go test ./...",
  rust: "cargo test --offline",
} as const;

export function plotOf(entry: Entry): Plot {
  const { request, work, next, announces: told = [] } = entry;
  const { files } = projects[entry.project];
  const plot = { request, work, files, verification: commandOf(entry), told, announces: announcedBy(entry) };
  return next ? { ...plot, next } : plot;
}

/**
 * Returns the plan's declarations for the engine, which count if a person has read them. A roadmap belongs to a person:
 * an honest one declares in advance what its item changes, and a liar cannot edit it. With a second item the liar can
 * use the first one's declaration.
 */
function announcedBy({ pipeline, kind, request, next, announces = [] }: Entry): readonly Announcement[] {
  const isSaid = pipeline !== "roadmap" || kind === "honest" || next !== undefined;
  if (!isSaid || announces.length === 0) return [];
  return [{ was: "what these tests say", becomes: request, tests: announces }];
}

/**
 * Returns the command that the item lists for verification; without a test, the check that a person would do by
 * reading.
 */
function commandOf({ project }: Entry): string {
  if (project === "untested" || project === "plain") return "read the sources";
  return project === "npm" ? "npm test" : COMMANDS[projects[project].language];
}
