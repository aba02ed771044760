import { z } from "zod";

/** The content of a repository as a value: a git tree id. Nobody sees a worktree. */
export const Tree = z.object({ tree: z.string() });
export type Tree = { readonly tree: string };
