import { z } from "zod";

/** Content of a repository as a value: a git tree id. Worktrees are not exposed. */
export const Tree = z.object({ tree: z.string() });
export type Tree = { readonly tree: string };
