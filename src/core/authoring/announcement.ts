import { z } from "zod";

/**
 * Planned change of behaviour. It is declared before the work starts by the agent or person who plans it, and the
 * listed tests of the old behaviour may then fail. The agent that edits the tests cannot declare one.
 */
export const Announcement = z.object({
  was: z.string().min(1),
  becomes: z.string().min(1),
  /**
   * Names or globs of the tests that assert the old behaviour: `test/slug.test.js › keeps underscores`,
   * `test/slug.test.js › *`.
   */
  tests: z.array(z.string().min(1)).min(1).readonly(),
  /** Acceptance criterion that requires the change. */
  criterion: z.string().optional(),
});
export type Announcement = z.infer<typeof Announcement>;

/** Valid announcement, with the document that contains it and the position in it: `roadmap.json, item 3`. */
export type SourcedAnnouncement = Announcement & { readonly from?: string };
