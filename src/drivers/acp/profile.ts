import { z } from "zod";

const WordList = z.array(z.string());
/** A path below a home: relative and without leaving it. */
const HomePath = z.string().regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$)).+$/, "use a path below the home");
const Variables = z.record(z.string(), z.string());

/**
 * Describes how one program speaks the Agent Client Protocol. Built-in profiles are in `profiles/`; a repository adds
 * its own under `drivers:` in its configuration. `{model}` is replaced by the chosen model, `{home}` by the attempt's
 * home.
 */
export const AcpProfile = z.strictObject({
  command: z.string().min(1),
  args: WordList.default([]),
  /** Variables to set. */
  env: Variables.default({}),
  /** Variables of the user that the program may see, such as its key and address. */
  pass: WordList.default([]),
  /**
   * Further variables by model maker, for programs that support several. The program sees those of the maker in use,
   * which the variable `maker` names or else the part of the model's name before the slash; all of them if neither is
   * set.
   */
  keys: z.record(z.string(), WordList).default({}),
  maker: z.string().optional(),
  /** Added only if a model was chosen. */
  "model-args": WordList.default([]),
  "model-env": Variables.default({}),
  /** The session option that selects the model, for programs that take it that way. */
  "model-option": z.string().optional(),
  /** Files to write into its home, by relative path. */
  files: z.record(HomePath, z.string()).default({}),
  /** Login files below the user's home. They are linked, because programs renew them in place. */
  login: z.array(HomePath).default([]),
  /** The authentication method to call before a session, if it requires one. */
  auth: z.string().optional(),
  /** The mode to set for the session. */
  mode: z.string().optional(),
  /** The method with which a new process resumes a session. Without it sessions are not resumed. */
  resume: z.enum(["load", "resume"]).optional(),
  /** Its usage contains US dollars. */
  cost: z.boolean().default(false),
  /** A turn that reached no model ends normally, but without usage. */
  "fails-without-usage": z.boolean().default(false),
  /** Patterns of final messages that report a failed request. */
  "failure-texts": WordList.default([]),
});
export type AcpProfile = z.infer<typeof AcpProfile>;

/** Fills in the defaults. */
export function defineProfile(profile: z.input<typeof AcpProfile>): AcpProfile {
  return AcpProfile.parse(profile);
}
