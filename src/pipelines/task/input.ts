import { z } from "zod";
import { Announcement } from "../../core/authoring/announcement.ts";
import { REQUEST_KINDS } from "../work-kind.ts";

export const Input = z.strictObject({
  request: z.string().regex(/\S/, { error: "expected a request" }),
  /** Kind of work stated by a person; it overrides the agent's label. */
  kind: z.enum(REQUEST_KINDS).optional(),
  /** True if a second agent reviews the work before the commit. */
  review: z.stringbool().or(z.boolean()).default(false),
  /** Requested behaviour changes; the tests that assert the old behaviour may fail. */
  announces: z.array(Announcement).readonly().default([]),
});
export type TaskInput = z.output<typeof Input>;
