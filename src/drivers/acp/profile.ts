import { z } from "zod";

const Words = z.array(z.string());
/** Below a home: neither absolute nor leading out of it. */
const Below = z.string().regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$)).+$/, "name a path below the home");
const Variables = z.record(z.string(), z.string());

/**
 * How one agent program speaks the Agent Client Protocol, as data: the built-in ones lie in `profiles/`, a repository's
 * own under `drivers:` in its configuration. `{model}` stands for the chosen model, `{home}` for the attempt's home.
 */
export const AcpProfile = z.strictObject({
  command: z.string().min(1),
  args: Words.default([]),
  /** Set for it. */
  env: Variables.default({}),
  /** Variables of the user's that it may see: its key, its address. */
  pass: Words.default([]),
  /**
   * Further ones of a program for models of several makers, by maker: it sees those of the one that it is used with,
   * which the variable `maker` names, or else the model's name up to the slash; all where neither does.
   */
  keys: z.record(z.string(), Words).default({}),
  maker: z.string().optional(),
  /** Only where a model was chosen. */
  "model-args": Words.default([]),
  "model-env": Variables.default({}),
  /** The session's option that names the model, where the program takes it that way. */
  "model-option": z.string().optional(),
  /** Files that it finds in its home, by path below it. */
  files: z.record(Below, z.string()).default({}),
  /** Files below the user's home that hold a login; linked, because programs renew them in place. */
  login: z.array(Below).default([]),
  /** The method to authenticate with before a session, where it asks for one. */
  auth: z.string().optional(),
  /** The mode that a session is put into. */
  mode: z.string().optional(),
  /** How a new process goes on with an old session; without it none does. */
  resume: z.enum(["load", "resume"]).optional(),
  /** Its usage has US dollars. */
  cost: z.boolean().default(false),
  /** It ends a turn that reached no model like any other, only without usage. */
  "fails-without-usage": z.boolean().default(false),
  /** Patterns of last messages that are its own word for a failed request. */
  "failure-texts": Words.default([]),
});
export type AcpProfile = z.infer<typeof AcpProfile>;

/** Only what differs from the defaults has to be said. */
export function defineProfile(profile: z.input<typeof AcpProfile>): AcpProfile {
  return AcpProfile.parse(profile);
}
