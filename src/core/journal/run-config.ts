import { z } from "zod";

/** Configuration of the project that a run uses. It is read again if a person requests that on resume. */
export const RunConfig = z.object({
  commands: z.array(z.object({ name: z.string(), run: z.string() })),
  setup: z.object({ run: z.string(), lockFile: z.string().optional() }).optional(),
  protectedPaths: z.array(z.string()).optional(),
  exam: z.object({ tests: z.array(z.string()), code: z.array(z.string()) }).optional(),
});
export type RunConfig = z.infer<typeof RunConfig>;

/** Returns the effective configuration: that of the start, or the last one given on resume. */
export function getCurrentConfig(
  started: RunConfig,
  resumed: readonly { readonly config?: RunConfig | undefined }[],
): RunConfig {
  const { commands, setup, protectedPaths, exam } = resumed.findLast(({ config }) => config)?.config ?? started;
  return { commands, setup, protectedPaths, exam };
}
