import type { Announcement } from "../../src/core/authoring/announcement.ts";
import type { Work } from "../lies/entry.ts";
import type { Files } from "../lies/projects/project.ts";

/** A repository and the changes that an agent leaves in it. */
export type Situation = {
  /** COUNTER in a file stands for the path of a file outside of every checkout. */
  readonly files: Files;
  readonly work: Work;
  readonly approvals?: "interactive" | "autonomous";
  /** True if a person approves every question except the one about evidence. */
  readonly answers?: boolean;
  readonly announces?: readonly Announcement[];
};
