import { z } from "zod";
import { isPostgresAddress } from "../../core/text/database-address.ts";

const MOST_CHARACTERS = 100;
const MOST_LABELS = 100;
const Label = z
  .string()
  .max(MOST_CHARACTERS)
  .regex(/^[\w.-]+(?::[\w.@-]+)?$/, "write for example gpu, or memory:16")
  .refine((label) => !/:[0-9]{16}/.test(label), "its number has at most 15 digits");
const Labels = z.array(Label).max(MOST_LABELS);
const Cap = z.number().int().positive();

/** Where a team's runs are remembered; a password belongs only into a file that git does not see. */
export const Postgres = z
  .string()
  .refine((text) => text === OFF || isPostgresAddress(text), "write postgres://user@host:port/database, or off");

/** The word for this machine's own store, where a file names a team's. */
export const OFF = "off";

/** Over which git remote work travels: its name here, or its address. */
export const Remote = z.string().min(1);

export const Team = z.strictObject({
  /** How many agents may be at work at once: of all repositories, of this one, of one driver. */
  caps: z
    .strictObject({
      global: Cap.optional(),
      repository: Cap.optional(),
      drivers: z.record(z.string(), Cap).optional(),
    })
    .optional(),
  /** Roles of the database; without it everybody who may write there. */
  approvers: z.array(z.string().min(1)).min(1).optional(),
  /** What a worker must offer to take a run of this repository. */
  labels: Labels.optional(),
});
export type ConfiguredTeam = z.infer<typeof Team>;
export const AgentLabels = Labels;
