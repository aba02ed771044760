import { z } from "zod";

const Person = z.object({ name: z.string(), email: z.string() });

/** In whose name something is committed, as git itself would have it. */
export const Identity = z.object({ author: Person, committer: Person });
export type Identity = z.infer<typeof Identity>;
