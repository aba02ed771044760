import { z } from "zod";

/** How much of the way a run goes: all of it, or for small work what a person chose to leave out. */
export const Depth = z.enum(["full", "short"]);
export type Depth = z.infer<typeof Depth>;
