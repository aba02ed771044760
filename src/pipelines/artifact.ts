import type { z } from "zod";

/** A structured file that a pipeline reads or writes. */
export type Artifact = {
  readonly name: string;
  /** Path shown to people; `<…>` marks the parts that differ between runs. */
  readonly path: string;
  readonly schema: z.ZodType;
};
