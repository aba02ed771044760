import type { z } from "zod";

/** A structured file that a pipeline reads or writes. */
export type Artifact = {
  readonly name: string;
  /** As people find it, `<…>` standing for what differs from run to run. */
  readonly path: string;
  readonly schema: z.ZodType;
};
