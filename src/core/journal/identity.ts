import { z } from "zod";

const Person = z.object({ name: z.string(), email: z.string() });

/** Author and committer of a commit, in git's form. */
export const Identity = z.object({ author: Person, committer: Person });
export type Identity = z.infer<typeof Identity>;
