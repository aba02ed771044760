import type { Confidence } from "../../core/authoring/end.ts";
import type { Limit, Limits } from "../../core/budget/budget.ts";
import type { QuotaPolicy } from "../../core/budget/quota.ts";
import { formatCommandLine } from "../../core/checks/detect/detected.ts";
import type { Command, ExamHalves, SetupCommand } from "../../core/journal/effect.ts";
import type { ProcessLimits } from "../../core/ports/processes.ts";
import { hidePassword } from "../../core/text/database-address.ts";
import type { SandboxMode } from "../../processes/sandbox/sandbox.ts";
import type { Collector } from "../../surfaces/telemetry/exporter.ts";
import { ATTENTION, type AttentionTerms } from "../live/attention.ts";
import { collectTargets, describeAddress, type Target } from "../notify/targets.ts";
import type { ConfiguredWebhook } from "../notify/webhook-config.ts";
import { type ConfiguredTeam, OFF } from "../team/config.ts";
import { resolveCollector } from "../telemetry/config.ts";
import type { Config, ConfiguredAgent, ConfiguredDriver, Terms } from "./config.ts";
import type { ConfigLayer } from "./config-sources.ts";
import { type ConfiguredEnvironment, type EnvironmentRules, maskSecret, mergeEnvironmentRules } from "./environment.ts";
import { parseLimits, parseMilliseconds } from "./limits.ts";

/** The effective settings. */
export type Settings = {
  readonly commands: readonly (Command & { readonly from: string })[];
  readonly setup: SetupCommand | undefined;
  readonly environment: EnvironmentRules;
  readonly agents: Readonly<Record<string, ConfiguredAgent>>;
  readonly drivers: Readonly<Record<string, ConfiguredDriver>>;
  readonly approvals: "interactive" | "autonomous";
  readonly minConfidence: Confidence;
  readonly usageWindow: QuotaPolicy;
  /** Reason given by a person why no check is needed. */
  readonly exempt: string | undefined;
  /** File, variable or flag that contains the reason. */
  readonly exemptFrom: string | undefined;
  readonly limits: Limits;
  /** Limits of one attempt of an agent. */
  readonly patience: ProcessLimits;
  readonly sandbox: SandboxMode;
  readonly attention: AttentionTerms;
  readonly protectedPaths: readonly string[];
  /** `apart`, `none` or a folder. Undefined: documents are committed with the work. */
  readonly documents: string | undefined;
  readonly exam: ExamHalves | undefined;
  /** Recipients of notifications. */
  readonly targets: readonly Target[];
  readonly collector: Collector | undefined;
  /** Team settings, merged member by member. */
  readonly team: ConfiguredTeam;
};

/**
 * A setting by its key, e.g. `commands.test` or `pipelines.ledger.budget`, with its values nearest first. The first
 * value is effective.
 */
export type SettingEntry = {
  readonly key: string;
  readonly said: readonly { readonly value: unknown; readonly from: string }[];
};

export function resolveSettings(layers: readonly ConfigLayer[], pipeline = ""): Settings {
  const pick = <T>(read: (config: Config) => T | undefined): T | undefined =>
    layers.map(({ config }) => read(config)).find((value) => value !== undefined);
  // A setting for this pipeline overrides the general one of the same layer.
  const pickTerm = <K extends keyof Terms>(key: K): Terms[K] =>
    pick((config) => config.pipelines?.[pipeline]?.[key] ?? config[key]);
  const setup = pick((config) => config.commands?.setup);
  return {
    commands: mergeCommands(layers),
    setup: setup === undefined ? undefined : toSetupCommand(setup),
    environment: mergeEnvironmentRules(layers.map(({ config }) => config.environment)),
    agents: Object.assign({}, ...layers.map(({ config }) => config.agents).reverse()),
    drivers: Object.assign({}, ...layers.map(({ config }) => config.drivers).reverse()),
    approvals: pickTerm("approvals") ?? "interactive",
    minConfidence: pickTerm("min-confidence") ?? "medium",
    usageWindow: pickTerm("usage-window") ?? "wait",
    exempt: pickTerm("no-checks"),
    exemptFrom: describeSource(
      layers.find(({ config }) => (config.pipelines?.[pipeline]?.["no-checks"] ?? config["no-checks"]) !== undefined),
    ),
    limits: {
      ...toLimit(Object.fromEntries(SPENDING.map((key) => [key, pickTerm(key)]))),
      ...toPartLimits(
        "phases",
        pick((config) => config.pipelines?.[pipeline]?.phases),
      ),
      ...toPartLimits(
        "roles",
        pick((config) => config.pipelines?.[pipeline]?.roles),
      ),
    },
    patience: toTimeLimits(pickTerm("agent-time"), pickTerm("agent-silence")),
    sandbox: pick((config) => config.sandbox) ?? "auto",
    attention: {
      bell: pick((config) => config.terminal?.bell) ?? ATTENTION.bell,
      title: pick((config) => config.terminal?.title) ?? ATTENTION.title,
    },
    protectedPaths: pick((config) => config.protected) ?? [],
    documents: resolveDocuments(pick((config) => config.documents)),
    exam: toExamHalves(pick((config) => config.exam)),
    targets: collectTargets(layers),
    team: Object.assign({}, ...layers.map(({ config }) => config.team).reverse()),
    collector: resolveCollector(
      pick((config) => config.telemetry),
      process.env,
    ),
  };
}

function resolveDocuments(documents: Config["documents"]): string | undefined {
  if (typeof documents === "object") return documents.folder;
  return documents === "with-work" ? undefined : documents;
}

function toExamHalves(exam: Config["exam"]): ExamHalves | undefined {
  return exam && { tests: exam.tests ?? [], code: exam.code ?? [] };
}

/** The source appears in reports, where a path of this machine is meaningless. */
function describeSource(layer: ConfigLayer | undefined): string | undefined {
  return layer?.from.startsWith("/") ? "the user's own configuration" : layer?.from;
}

/** Lists every explicit setting in alphabetical order. */
export function listSettingEntries(layers: readonly ConfigLayer[]): readonly SettingEntry[] {
  const entries = new Map<string, { value: unknown; from: string }[]>();
  for (const { from, config } of layers) {
    for (const [key, value] of flattenConfig(config)) entries.set(key, [...(entries.get(key) ?? []), { value, from }]);
  }
  return [...entries].map(([key, configured]) => ({ key, said: configured })).sort((a, b) => (a.key < b.key ? -1 : 1));
}

function mergeCommands(layers: readonly ConfigLayer[]): Settings["commands"] {
  const found = new Map<string, Command & { readonly from: string }>();
  for (const { from, config } of layers) {
    const { setup: _setup, ...commands } = config.commands ?? {};
    for (const [name, configured] of Object.entries(commands)) {
      if (!found.has(name))
        found.set(name, { name, run: typeof configured === "string" ? configured : toCommandLine(configured), from });
    }
  }
  return [...found.values()];
}

function toCommandLine({ run, cwd }: { readonly run: string; readonly cwd?: string | undefined }): string {
  return formatCommandLine(cwd === undefined ? { run } : { run, cwd });
}

function toSetupCommand(setup: NonNullable<NonNullable<Config["commands"]>["setup"]>): SetupCommand {
  if (typeof setup === "string") return { run: setup };
  const { run, "lock-file": lockFile } = setup;
  return lockFile === undefined ? { run } : { run, lockFile };
}

function toTimeLimits(time?: string | number, silence?: string | number): ProcessLimits {
  return {
    ...(time === undefined ? {} : { wallMs: parseMilliseconds(String(time), "agent-time") }),
    ...(silence === undefined ? {} : { silenceMs: parseMilliseconds(String(silence), "agent-silence") }),
  };
}

const SPENDING = ["budget", "max-tokens", "max-time", "max-dispatches"] as const;
type Spending = { readonly [Key in (typeof SPENDING)[number]]?: string | number | undefined };

function toLimit(configured: Spending): Limit {
  const text = (key: keyof Spending) => (configured[key] === undefined ? undefined : String(configured[key]));
  const [budget, maxTokens, maxTime, maxDispatches] = SPENDING.map(text);
  return (
    parseLimits({
      ...(budget === undefined ? {} : { budget }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(maxTime === undefined ? {} : { maxTime }),
      ...(maxDispatches === undefined ? {} : { maxDispatches }),
    }) ?? {}
  );
}

function toPartLimits(name: "phases" | "roles", configured: Readonly<Record<string, Spending>> | undefined): Limits {
  if (!configured) return {};
  return { [name]: Object.fromEntries(Object.entries(configured).map(([part, limit]) => [part, toLimit(limit)])) };
}

/** Flattens groups by member, because setting one command leaves the others unchanged. */
function flattenConfig(config: Config): [string, unknown][] {
  return Object.entries(config).flatMap(([key, value]): [string, unknown][] => {
    // The object was parsed, so its keys are those of a configuration.
    const shown = FLATTENERS[key as keyof Config]?.(config);
    return shown ?? (value === undefined ? [] : [[key, value]]);
  });
}

/** Settings that are displayed differently from their raw value. */
const FLATTENERS: Partial<Record<keyof Config, (config: Config) => [string, unknown][]>> = {
  commands: ({ commands = {} }) => listMembers("commands", commands),
  agents: ({ agents = {} }) => listMembers("agents", agents),
  drivers: ({ drivers = {} }) => listMembers("drivers", drivers),
  pipelines: ({ pipelines = {} }) => listPipelineEntries(pipelines),
  environment: ({ environment = {} }) => listEnvironmentEntries(environment),
  notify: ({ notify }) => [["notify.webhooks", notify?.webhooks.map(describeWebhook)]],
  team: ({ team = {} }) => listMembers("team", team),
  postgres: ({ postgres = OFF }) => [["postgres", postgres === OFF ? OFF : hidePassword(postgres)]],
};

function listMembers(key: string, configured: object): [string, unknown][] {
  return Object.entries(configured).map(([name, value]): [string, unknown] => [`${key}.${name}`, value]);
}

function listPipelineEntries(pipelines: NonNullable<Config["pipelines"]>): [string, unknown][] {
  return Object.entries(pipelines).flatMap(([name, terms]) =>
    Object.entries(terms).map(([term, configured]): [string, unknown] => [`pipelines.${name}.${term}`, configured]),
  );
}

/** Shows the recipient and its events, and only the host of an address. */
function describeWebhook(webhook: ConfiguredWebhook) {
  const { url: _url, ...configured } = webhook;
  return { to: describeAddress(webhook), ...configured };
}

/** Lists entries such as `environment.set.DATABASE_URL` and `environment.checks.pass`. Values of secrets are hidden. */
function listEnvironmentEntries({ setup, checks, ...both }: ConfiguredEnvironment): [string, unknown][] {
  const parts = [
    ["environment", both],
    ["environment.setup", setup],
    ["environment.checks", checks],
  ] as const;
  return parts.flatMap(([key, configured]): [string, unknown][] => [
    ...(configured?.pass ? [[`${key}.pass`, configured.pass] as [string, unknown]] : []),
    ...Object.entries(configured?.set ?? {}).map(([name, value]): [string, unknown] => [
      `${key}.set.${name}`,
      maskSecret(name, value),
    ]),
  ]);
}
