import { z } from "zod";
import { Announcement } from "../../core/authoring/announcement.ts";
import { REQUEST_KINDS } from "../work-kind.ts";

export const Input = z.strictObject({
  request: z.string().regex(/\S/, { error: "expected a request in words" }),
  /** What a person says that it is, whatever the agent calls it. */
  kind: z.enum(REQUEST_KINDS).optional(),
  /** Whether a second agent looks at it before the commit. */
  review: z.stringbool().or(z.boolean()).default(false),
  /** Changes of behaviour that are asked for: tests that say the old thing may fail. */
  announces: z.array(Announcement).readonly().default([]),
});
export type TaskInput = z.output<typeof Input>;
