import { relative } from "node:path";
import { z } from "zod";
import { CONFIDENCES } from "../../core/authoring/end.ts";
import { QUOTA_POLICIES } from "../../core/budget/quota.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import { readYaml } from "../../core/text/outside-yaml.ts";
import { listDriverProblems } from "../../drivers/index.ts";
import { readInCheckout, readThroughLinks } from "../../node/checkout-file.ts";
import { Notify } from "../notify/webhook-config.ts";
import { addSecret, markSecretVariables } from "../secrets/secrets.ts";
import { holdPassword } from "../team/address.ts";
import { AgentLabels, Postgres, Remote, Team } from "../team/config.ts";
import { Telemetry } from "../telemetry/config.ts";
import { Environment } from "./environment.ts";

const Agent = z.strictObject({
  /**
   * A built-in driver, or one from `drivers`, which may be in another file. It is therefore resolved when a role is
   * assigned.
   */
  driver: z.string().min(1),
  argv: z.array(z.string()).min(1).optional(),
  model: z.string().optional(),
  /** Further labels that a worker must offer to run this agent. Only teams have workers. */
  labels: AgentLabels.optional(),
  /** Agent used while this one's usage window is exhausted. */
  get instead() {
    return Agent.optional();
  },
});

/** Agent Client Protocol programs, or overrides for known ones. */
const Drivers = z.record(z.string().regex(/^[a-z][\w-]*$/i), z.record(z.string(), z.unknown())).check((drivers) => {
  for (const [name, settings] of Object.entries(drivers.value)) {
    for (const { message, path } of listDriverProblems(name, settings)) {
      drivers.issues.push({ code: "custom", message, path: [name, ...path], input: settings });
    }
  }
});

/** Agents by role; `*` applies to every role without an entry. */
export const Assignments = z.object({ agents: z.record(z.string(), Agent), drivers: Drivers });

const Line = z.string().min(1);
/** A folder of the checkout, relative to its top. */
const Folder = z
  .string()
  .min(1)
  .refine(
    (path) => !/^\/|(?:^|\/)\.\.(?:\/|$)|['\n]/.test(path),
    "use a folder of the repository, relative to its top",
  );
const CommandLine = z.union([Line, z.strictObject({ run: Line, cwd: Folder.optional() })]);
/** Command that prepares a checkout. Its result is reused while the lock file is unchanged. */
const Setup = z.union([Line, z.strictObject({ run: Line, "lock-file": z.string().min(1).optional() })]);

/** Settings that can also be set per pipeline. */
const Duration = z.union([
  z.string().regex(/^\d+(?:\.\d+)?(?:ms|s|m|h)?$/, "use for example 90s, 20m or 2h"),
  z.number().positive(),
]);

const SpendingLimit = {
  budget: z.number().positive().optional(),
  "max-tokens": z.number().int().positive().optional(),
  "max-time": Duration.optional(),
  "max-dispatches": z.number().int().positive().optional(),
};

const Terms = {
  approvals: z.enum(["interactive", "autonomous"]).optional(),
  ...SpendingLimit,
  /** Time limits for one attempt of an agent: total and without output. */
  "agent-time": Duration.optional(),
  "agent-silence": Duration.optional(),
  "min-confidence": z.enum(CONFIDENCES).optional(),
  "usage-window": z.enum(QUOTA_POLICIES).optional(),
  /** Reason why a run may proceed without any check. */
  "no-checks": z.string().trim().min(1, "give a reason").optional(),
};

/** Settings of one pipeline that override its policy file. The pipeline defines which exist. */
const Policy = z.record(z.string(), z.unknown());

const Globs = z.array(z.string().min(1));

const Documents = z.union([
  z.enum(["with-work", "apart", "none"]),
  z.strictObject({
    folder: z.string().regex(/^(?!\.{0,2}\/|\.git(\/|$)|\.signalbox(\/|$))(?!.*(^|\/)\.\.(\/|$)).+$/, {
      error: "must be a folder inside the repository",
    }),
  }),
]);

const Config = z.strictObject({
  /** Shell commands that the engine runs on a tree, by name; `setup` runs before all others. */
  commands: z.object({ setup: Setup.optional() }).catchall(CommandLine).optional(),
  /** Variables for set-up and checks, which otherwise inherit none from the user. */
  environment: Environment.optional(),
  ...Assignments.partial().shape,
  ...Terms,
  sandbox: z.enum(["auto", "required", "off"]).optional(),
  /** Globs of files that no agent may change unnoticed. */
  protected: Globs.optional(),
  /** Target of process documents: with the work, into a separate commit, into no commit, or into a folder. */
  documents: Documents.optional(),
  /** Globs of test files and of code files, for files that naming conventions do not classify. */
  exam: z.strictObject({ tests: Globs.optional(), code: Globs.optional() }).optional(),
  /** Recipients of notifications when a run needs a person or ends. */
  notify: Notify.optional(),
  /** How a terminal signals that a person is needed. */
  terminal: z.strictObject({ bell: z.boolean().optional(), title: z.boolean().optional() }).optional(),
  /** Target of traces and metrics; nothing is sent by default. */
  telemetry: Telemetry.optional(),
  /** The team's database, and the git remote that transfers the work. */
  postgres: Postgres.optional(),
  remote: Remote.optional(),
  team: Team.optional(),
  pipelines: z
    .record(
      z.string(),
      z.strictObject({
        ...Terms,
        policy: Policy.optional(),
        /** Limits per phase or role, within those of the run. */
        phases: z.record(z.string(), z.strictObject(SpendingLimit)).optional(),
        roles: z.record(z.string(), z.strictObject(SpendingLimit)).optional(),
      }),
    )
    .optional(),
});
export type Config = z.infer<typeof Config>;
export type ConfiguredDriver = Readonly<Record<string, unknown>>;
export type ConfiguredAgent = z.infer<typeof Agent>;
export type Terms = z.infer<z.ZodObject<typeof Terms>>;

export const TERMS = Object.keys(Terms) as readonly (keyof Terms)[];
const KEYS: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(Config.shape),
  agents: Object.keys(Agent.shape),
  pipelines: [...TERMS, "policy", "phases", "roles"],
  commands: ["run", "lock-file", "cwd"],
  exam: ["tests", "code"],
  environment: ["pass", "set", "setup", "checks"],
  telemetry: ["otlp"],
  terminal: ["bell", "title"],
  team: ["caps", "approvers", "labels", "global", "repository", "drivers"],
  notify: ["webhooks", "url", "url-env", "kind", "on", "secret-env"],
};

/**
 * Reads a settings file; undefined if there is none. Only the user's own file may be located outside the checkout at
 * `top`.
 */
export function readConfig(file: string, top?: string): Config | undefined {
  const read = top === undefined ? readThroughLinks(file) : readInCheckout(top, relative(top, file));
  if (read.ok) return parseConfig(read.text, file);
  if (read.gone) return undefined;
  throw createInvalidConfigError(file, [read.problem]);
}

/** Parses the text of a settings file. */
export function parseConfig(text: string, file: string): Config {
  return validateConfig(parseConfigYaml(text, file) ?? {}, file);
}

/** Validates settings from any source; `from` names the source in the error. */
export function validateConfig(value: unknown, from: string): Config {
  const parsed = Config.safeParse(value);
  const problems = parsed.success ? listBadNames(parsed.data) : parsed.error.issues.flatMap(describeIssue);
  if (parsed.success && problems.length === 0) {
    registerSecrets(parsed.data);
    return parsed.data;
  }
  throw createInvalidConfigError(from, problems);
}

/** A webhook address is a secret: anybody who knows it can post to the chat. */
function registerSecrets({ notify, postgres }: Config): void {
  if (postgres !== undefined) holdPassword(postgres);
  for (const { url, "url-env": address, "secret-env": secret } of notify?.webhooks ?? []) {
    markSecretVariables([address, secret].filter((name) => name !== undefined));
    if (url !== undefined) addSecret("notify.webhooks", url);
  }
}

function parseConfigYaml(text: string, file: string): unknown {
  const read = readYaml(text);
  if (read.ok) return read.value;
  throw createInvalidConfigError(file, [read.tooLong ? `too large: ${read.problem}` : `not YAML: ${read.problem}`]);
}

/** Command names are used in keys and rules. */
function listBadNames({ commands = {} }: Config): string[] {
  const odd = Object.keys(commands).filter((name) => !/^[a-z][\w-]*$/i.test(name));
  return odd.map((name) => `commands: "${name}" is not a valid name; use letters, digits and dashes`);
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const where = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return [`${where || "the file"}: ${issue.message}`];
  const known = KEYS[String(issue.path[0] ?? "")] ?? [];
  return issue.keys.map((key) => {
    const close = findNearestWord(key, known);
    const advice = close ? `did you mean "${close}"?` : `known keys: ${known.join(", ")}`;
    return `unknown key "${[where, key].filter(Boolean).join(".").slice(0, 200)}"; ${advice}`;
  });
}

/** Number of problems to report at once. */
const MAX_PROBLEMS = 20;

function createInvalidConfigError(from: string, problems: readonly string[]): SignalboxError {
  const more = problems.length - MAX_PROBLEMS;
  const listed = [...problems.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`and ${more} more`] : [])];
  return new SignalboxError(
    "CONFIG_INVALID",
    `${from} is invalid:\n${listed.map((problem) => `  ${problem}`).join("\n")}`,
    "Fix it; nothing was started.",
  );
}
