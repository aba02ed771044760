import type { Announcement } from "../../src/core/authoring/announcement.ts";
import type { Work } from "../lies/entry.ts";
import type { Files } from "../lies/projects/project.ts";

/** A repository and what an agent leaves in it. */
export type Situation = {
  /** Where a file says COUNTER, it means a file outside of every checkout. */
  readonly files: Files;
  readonly work: Work;
  readonly approvals?: "interactive" | "autonomous";
  /** Whether somebody is there who says yes to every question but the one about evidence. */
  readonly answers?: boolean;
  readonly announces?: readonly Announcement[];
};
