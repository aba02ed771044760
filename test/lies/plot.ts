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
 * As the plan says it to the engine: it counts where a person has read it. A roadmap is a person's: an honest one says
 * beforehand what its item makes wrong, and a liar has no hand in it; with a second item the first one's announcement
 * is there for the liar to use.
 */
function announcedBy({ pipeline, kind, request, next, announces = [] }: Entry): readonly Announcement[] {
  const isSaid = pipeline !== "roadmap" || kind === "honest" || next !== undefined;
  if (!isSaid || announces.length === 0) return [];
  return [{ was: "what these tests say", becomes: request, tests: announces }];
}

/** What the item's own list of verifications says; where there is no test, what a person would read. */
function commandOf({ project }: Entry): string {
  if (project === "untested" || project === "plain") return "read the sources";
  return project === "npm" ? "npm test" : COMMANDS[projects[project].language];
}
