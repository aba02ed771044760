import { z } from "zod";

/**
 * A change of behaviour that was announced before the work began, by whoever plans it: the tests that say the old
 * thing may then fail. Whoever edits the tests cannot announce.
 */
export const Announcement = z.object({
  was: z.string().min(1),
  becomes: z.string().min(1),
  /** Tests that say what was, by name or glob: `test/slug.test.js › keeps underscores`, `test/slug.test.js › *`. */
  tests: z.array(z.string().min(1)).min(1).readonly(),
  /** The acceptance criterion that asks for it. */
  criterion: z.string().optional(),
});
export type Announcement = z.infer<typeof Announcement>;

/** One that counts, with the document that holds it and the place there: `roadmap.json, item 3`. */
export type SourcedAnnouncement = Announcement & { readonly from?: string };
