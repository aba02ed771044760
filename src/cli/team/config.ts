import { z } from "zod";
import { isPostgresAddress } from "../../core/text/database-address.ts";

const MOST_CHARACTERS = 100;
const MOST_LABELS = 100;
const Label = z
  .string()
  .max(MOST_CHARACTERS)
  .regex(/^[\w.-]+(?::[\w.@-]+)?$/, "use for example gpu, or memory:16")
  .refine((label) => !/:[0-9]{16}/.test(label), "the number must have at most 15 digits");
const Labels = z.array(Label).max(MOST_LABELS);
const Cap = z.number().int().positive();

/** Address of the team's database. A password belongs only in a file that git ignores. */
export const Postgres = z
  .string()
  .refine((text) => text === OFF || isPostgresAddress(text), "use postgres://user@host:port/database, or off");

/** Value that selects this machine's own store where another file names a team's. */
export const OFF = "off";

/** The git remote that transfers the work: its name in this clone, or its address. */
export const Remote = z.string().min(1);

export const Team = z.strictObject({
  /** Limits on concurrently running agents: over all repositories, in this one, per driver. */
  caps: z
    .strictObject({
      global: Cap.optional(),
      repository: Cap.optional(),
      drivers: z.record(z.string(), Cap).optional(),
    })
    .optional(),
  /** Database roles that may approve. If missing, every role with write access may. */
  approvers: z.array(z.string().min(1)).min(1).optional(),
  /** Labels that a worker must offer to take a run of this repository. */
  labels: Labels.optional(),
});
export type ConfiguredTeam = z.infer<typeof Team>;
export const AgentLabels = Labels;
