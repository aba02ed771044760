import { relative } from "node:path";
import { z } from "zod";
import { CONFIDENCES } from "../../core/authoring/end.ts";
import { QUOTA_POLICIES } from "../../core/budget/quota.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { nearest } from "../../core/text/did-you-mean.ts";
import { readYaml } from "../../core/text/outside-yaml.ts";
import { problemsOfDriver } from "../../drivers/index.ts";
import { readInCheckout, readThroughLinks } from "../../node/checkout-file.ts";
import { Notify } from "../notify/webhook-config.ts";
import { holdSecret, nameSecrets } from "../secrets/secrets.ts";
import { holdPassword } from "../team/address.ts";
import { AgentLabels, Postgres, Remote, Team } from "../team/config.ts";
import { Telemetry } from "../telemetry/config.ts";
import { Environment } from "./environment.ts";

const Agent = z.strictObject({
  /** One that is ready, or one of `drivers`, which another file may hold: known when somebody is to play a role. */
  driver: z.string().min(1),
  argv: z.array(z.string()).min(1).optional(),
  model: z.string().optional(),
  /** What else a worker must offer to have it played there; only a team has workers. */
  labels: AgentLabels.optional(),
  /** Plays the role while this one's usage window is used up. */
  get instead() {
    return Agent.optional();
  },
});

/** A program that speaks the Agent Client Protocol, or what is different here about one that is known. */
const Drivers = z.record(z.string().regex(/^[a-z][\w-]*$/i), z.record(z.string(), z.unknown())).check((drivers) => {
  for (const [name, said] of Object.entries(drivers.value)) {
    for (const { message, path } of problemsOfDriver(name, said)) {
      drivers.issues.push({ code: "custom", message, path: [name, ...path], input: said });
    }
  }
});

/** Who plays: role → how it is run; `*` stands for every role that has no entry of its own. */
export const Assignments = z.object({ agents: z.record(z.string(), Agent), drivers: Drivers });

const Line = z.string().min(1);
/** A folder of the checkout, from its top. */
const Folder = z
  .string()
  .min(1)
  .refine((path) => !/^\/|(?:^|\/)\.\.(?:\/|$)|['\n]/.test(path), "name a folder of the repository, from its top");
const CommandLine = z.union([Line, z.strictObject({ run: Line, cwd: Folder.optional() })]);
/** Prepares a checkout; what it makes is kept for as long as the lock file stays the same. */
const Setup = z.union([Line, z.strictObject({ run: Line, "lock-file": z.string().min(1).optional() })]);

/** What may also be said for one pipeline alone. */
const Duration = z.union([
  z.string().regex(/^\d+(?:\.\d+)?(?:ms|s|m|h)?$/, "write for example 90s, 20m or 2h"),
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
  /** How long one attempt of an agent may take, and how long it may be silent. */
  "agent-time": Duration.optional(),
  "agent-silence": Duration.optional(),
  "min-confidence": z.enum(CONFIDENCES).optional(),
  "usage-window": z.enum(QUOTA_POLICIES).optional(),
  /** Why a run may do without any command of the project. */
  "no-checks": z.string().trim().min(1, "say why").optional(),
};

/** Knobs of one pipeline, over those of its own file; which there are is the pipeline's to say. */
const Policy = z.record(z.string(), z.unknown());

const Globs = z.array(z.string().min(1));

const Documents = z.union([
  z.enum(["with-work", "apart", "none"]),
  z.strictObject({
    folder: z.string().regex(/^(?!\.{0,2}\/|\.git(\/|$)|\.signalbox(\/|$))(?!.*(^|\/)\.\.(\/|$)).+$/, {
      error: "a folder inside the repository",
    }),
  }),
]);

const Config = z.strictObject({
  /** Shell lines that the engine runs on a tree, by name; `setup` comes before all others. */
  commands: z.object({ setup: Setup.optional() }).catchall(CommandLine).optional(),
  /** Variables for set-up and checks, which have none of the user's otherwise. */
  environment: Environment.optional(),
  ...Assignments.partial().shape,
  ...Terms,
  sandbox: z.enum(["auto", "required", "off"]).optional(),
  /** Globs of what no agent may change unnoticed. */
  protected: Globs.optional(),
  /** Where documents of the process go: with the work, into a commit of their own, into none, or below a folder. */
  documents: Documents.optional(),
  /** Globs of what belongs to the tests, and of what belongs to the code, where names do not tell. */
  exam: z.strictObject({ tests: Globs.optional(), code: Globs.optional() }).optional(),
  /** Who is told when a run needs somebody or ends. */
  notify: Notify.optional(),
  /** How a terminal says that a person is needed. */
  terminal: z.strictObject({ bell: z.boolean().optional(), title: z.boolean().optional() }).optional(),
  /** Where traces and numbers of runs go; nowhere unless somebody says so. */
  telemetry: Telemetry.optional(),
  /** Where a team's runs are remembered, and over which git remote their work travels. */
  postgres: Postgres.optional(),
  remote: Remote.optional(),
  team: Team.optional(),
  pipelines: z
    .record(
      z.string(),
      z.strictObject({
        ...Terms,
        policy: Policy.optional(),
        /** Limits of a heading or of a role, within those of the run. */
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

/** One file of settings; undefined when there is none. Only a person's own may lie outside the checkout at `top`. */
export function readConfig(file: string, top?: string): Config | undefined {
  const read = top === undefined ? readThroughLinks(file) : readInCheckout(top, relative(top, file));
  if (read.ok) return configIn(read.text, file);
  if (read.gone) return undefined;
  throw invalid(file, [read.problem]);
}

/** The text of such a file. */
export function configIn(text: string, file: string): Config {
  return configFrom(yamlOf(text, file) ?? {}, file);
}

/** Settings from wherever they come; `from` names it in the refusal. */
export function configFrom(value: unknown, from: string): Config {
  const parsed = Config.safeParse(value);
  const problems = parsed.success ? misnamed(parsed.data) : parsed.error.issues.flatMap(describe);
  if (parsed.success && problems.length === 0) {
    keepSecret(parsed.data);
    return parsed.data;
  }
  throw invalid(from, problems);
}

/** Whoever knows the address of a chat can write there. */
function keepSecret({ notify, postgres }: Config): void {
  if (postgres !== undefined) holdPassword(postgres);
  for (const { url, "url-env": address, "secret-env": secret } of notify?.webhooks ?? []) {
    nameSecrets([address, secret].filter((name) => name !== undefined));
    if (url !== undefined) holdSecret("notify.webhooks", url);
  }
}

function yamlOf(text: string, file: string): unknown {
  const read = readYaml(text);
  if (read.ok) return read.value;
  throw invalid(file, [read.tooLong ? `too large: ${read.problem}` : `not YAML: ${read.problem}`]);
}

/** A command's name is part of keys and of rules. */
function misnamed({ commands = {} }: Config): string[] {
  const odd = Object.keys(commands).filter((name) => !/^[a-z][\w-]*$/i.test(name));
  return odd.map((name) => `commands: "${name}" is no name; use letters, digits and dashes`);
}

function describe(issue: z.core.$ZodIssue): string[] {
  const where = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return [`${where || "the file"}: ${issue.message}`];
  const known = KEYS[String(issue.path[0] ?? "")] ?? [];
  return issue.keys.map((key) => {
    const close = nearest(key, known);
    const advice = close ? `did you mean "${close}"?` : `known here: ${known.join(", ")}`;
    return `unknown key "${[where, key].filter(Boolean).join(".").slice(0, 200)}"; ${advice}`;
  });
}

/** More than anybody reads before correcting the first. */
const MOST_TOLD = 20;

function invalid(from: string, problems: readonly string[]): SignalboxError {
  const more = problems.length - MOST_TOLD;
  const told = [...problems.slice(0, MOST_TOLD), ...(more > 0 ? [`and ${more} more`] : [])];
  return new SignalboxError(
    "CONFIG_INVALID",
    `${from} cannot be used:\n${told.map((problem) => `  ${problem}`).join("\n")}`,
    "Correct it; nothing was started.",
  );
}
