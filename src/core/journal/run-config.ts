import { z } from "zod";

/** What of the project's configuration a run works by; taken anew where a person says so when it goes on. */
export const RunConfig = z.object({
  commands: z.array(z.object({ name: z.string(), run: z.string() })),
  setup: z.object({ run: z.string(), lockFile: z.string().optional() }).optional(),
  protectedPaths: z.array(z.string()).optional(),
  exam: z.object({ tests: z.array(z.string()), code: z.array(z.string()) }).optional(),
});
export type RunConfig = z.infer<typeof RunConfig>;

/** The configuration that counts: the one that a run began with, or the last that it was given. */
export function configNow(
  started: RunConfig,
  resumed: readonly { readonly config?: RunConfig | undefined }[],
): RunConfig {
  const { commands, setup, protectedPaths, exam } = resumed.findLast(({ config }) => config)?.config ?? started;
  return { commands, setup, protectedPaths, exam };
}
