import { z } from "zod";

/** How much of a pipeline a run executes. `short` skips steps for small work. */
export const Depth = z.enum(["full", "short"]);
export type Depth = z.infer<typeof Depth>;
