import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Definitions } from "../../core/ports/definitions.ts";
import type { Driver } from "../../core/ports/driver.ts";
import type { ProcessLimits } from "../../core/ports/processes.ts";
import type { DriverParts } from "../../drivers/descriptor.ts";
import { suggestAfterFailure } from "../doctor/failure-advice.ts";
import { createRedactor } from "../secrets/redactor.ts";
import { type AgentFile, selectAgentFiles } from "./agent-files.ts";
import { explainExclusion } from "./agent-sets.ts";
import { type AgentChoice, type AgentLookup, createAgentDriver, describeAgent, listAgentChain } from "./agents.ts";
import { addFixHints } from "./fix-hints.ts";
import {
  type IgnoredDefinition,
  listForeignDefinitions,
  listOverriddenDefinitions,
  listUnreadKeys,
  listUnusedModels,
} from "./ignored-definitions.ts";

export type DefinitionInputs = {
  readonly agents: AgentLookup;
  /** Agent files of the repository, once it is trusted. */
  readonly files: readonly AgentFile[];
  /** Time limits of an attempt: total and without output. */
  readonly patience: ProcessLimits;
  /** Mailbox folder of dispatches for external agents. */
  readonly mailbox: string;
  /** True if our own sandbox confines whatever an agent starts. */
  readonly contained: boolean;
  /** Folder where each dispatch is recorded as a script that can be replayed without a model. */
  readonly record?: string | undefined;
};

/**
 * Defines roles: the prompt comes from the repository's file for the role or is built in, and the agent is the one
 * assigned.
 */
export function createDefinitions(parts: DefinitionInputs): Definitions {
  const { agents, files, patience, record, mailbox, contained } = parts;
  const drivers = new Map<string, Promise<Driver>>();
  const getDriver = (choice: AgentChoice): Promise<Driver> => {
    const name = describeAgent(choice);
    const driver =
      drivers.get(name) ?? recordDriver(createHintingDriver(choice, { limits: patience, mailbox, contained }), record);
    drivers.set(name, driver);
    return driver;
  };
  return {
    async define(pipeline, role, instead = 0) {
      const chain = listAgentChain(agents(role));
      // The fallback may have been removed from the configuration since; use the last one that remains.
      const choice = chain[instead] ?? chain.at(-1);
      if (!choice) throw new Error(`role ${role} was dispatched without an agent`);
      const { prompt, from, model } = requireUsableDefinition(resolveRoleDefinition({ pipeline, role, files, choice }));
      const signed = pipeline.roles.find((each) => each.name === role)?.signed;
      const signature = findSignature(prompt);
      return {
        prompt,
        driver: await getDriver(choice),
        from,
        ...(model === undefined ? {} : { model }),
        ...(choice.instead ? { instead: describeAgent(choice.instead) } : {}),
        ...(signed && signature !== undefined ? { signature } : {}),
      };
    },
  };
}

async function createHintingDriver(choice: AgentChoice, parts: Partial<DriverParts>): Promise<Driver> {
  return addFixHints(await createAgentDriver(choice, parts), (failure) => suggestAfterFailure(choice, failure));
}

async function recordDriver(driver: Promise<Driver>, dir: string | undefined): Promise<Driver> {
  if (dir === undefined) return driver;
  const { createRecordingDriver } = await import("../../drivers/scripted/recording-driver.ts");
  return createRecordingDriver(await driver, { dir, redact: createRedactor(process.env) });
}

/** Sources of a role's definition, and definitions that were found but are ignored. */
export type RoleDefinition = {
  readonly role: string;
  readonly prompt: string;
  /** `built in`, or the path of the repository's file. */
  readonly from: string;
  readonly model?: string;
  readonly modelFrom?: string;
  readonly ignored: readonly IgnoredDefinition[];
  readonly problem?: string;
};

type RoleRequest = {
  readonly pipeline: Pipeline;
  readonly role: string;
  readonly files: readonly AgentFile[];
  readonly choice: AgentChoice | undefined;
};

/** @rule A-06 (policy) An agent file of the repository replaces the built-in role of the same name. */
export function resolveRoleDefinition({ pipeline, role, files: brought, choice }: RoleRequest): RoleDefinition {
  const { signed = false, aliases = [] } = pipeline.roles.find((each) => each.name === role) ?? {};
  const files = brought.filter((each) => explainExclusion(each, pipeline.name) === undefined);
  const [file, ...others] = selectAgentFiles(files, { name: role, aliases });
  const strangers = listForeignDefinitions(selectAgentFiles(brought, { name: role, aliases }), pipeline.name);
  const configured = choice?.model;
  const own = configured === undefined ? {} : { model: configured, modelFrom: "configuration" };
  if (!file) {
    const prompt = getBuiltInPrompt(pipeline, role);
    return { role, prompt, from: "built in", ...own, ignored: strangers, ...checkSignature(signed, prompt) };
  }
  const fits = file.model !== undefined && configured === undefined && matchesDefinitionFolder(choice, file);
  return {
    role,
    prompt: file.prompt,
    from: file.path,
    ...own,
    ...(fits ? { model: file.model, modelFrom: file.path } : {}),
    ignored: [
      ...listUnusedModels(file, { configured, fits, choice }),
      ...listUnreadKeys(file),
      ...listOverriddenDefinitions(others, file),
      ...strangers,
    ],
    ...(file.problem === undefined ? checkSignature(signed, file.prompt) : { problem: file.problem }),
  };
}

/** A signed role without its own value cannot be told apart from other roles, so it is rejected. */
function checkSignature(signed: boolean, prompt: string): Pick<RoleDefinition, "problem"> {
  if (!signed || findSignature(prompt) !== undefined) return {};
  return { problem: "the role is signed, but the definition has no `SIGNED_VALUE: …` line" };
}

/** Rejects unusable definitions before anything starts, instead of at their first dispatch. */
export function requireDefinitions(
  pipeline: Pipeline,
  { agents, files }: Pick<DefinitionInputs, "agents" | "files">,
): void {
  for (const { name: role } of pipeline.roles) {
    requireUsableDefinition(resolveRoleDefinition({ pipeline, role, files, choice: agents(role) }));
  }
}

function requireUsableDefinition(definition: RoleDefinition): RoleDefinition {
  if (definition.problem === undefined) return definition;
  throw new SignalboxError(
    "CONFIG_INVALID",
    `The agent definition ${definition.from} for role ${definition.role} cannot be used: ${definition.problem}.`,
    "Fix or remove it; check all definitions with `signalbox agents check`.",
  );
}

/** A model name is meaningful only to the program that the file's folder belongs to. */
function matchesDefinitionFolder(choice: AgentChoice | undefined, { folder }: AgentFile): boolean {
  return choice?.driver.definitions?.folder === folder;
}

function getBuiltInPrompt(pipeline: Pipeline, name: string): string {
  const role = pipeline.roles.find((each) => each.name === name);
  return role?.prompt ?? `You are the ${name} of a team that works on this repository.\n\n${role?.does ?? ""}`;
}

/** Returns the value that identifies a signed definition. */
function findSignature(prompt: string): string | undefined {
  return /SIGNED_VALUE["'`]?\s*[:=]\s*["'`]?([\w.-]+)/.exec(prompt)?.[1];
}
