import { SignalboxError } from "../../core/failure/errors.ts";
import { chooseSandbox } from "../../processes/sandbox/sandbox.ts";
import { createSupervisor } from "../../processes/supervisor.ts";
import { applyDriverSettings, createAgentLookup, describeAgent } from "../agents/agents.ts";
import { type Assignment, listAssignments } from "../agents/assignments.ts";
import { listInstalledAgents } from "../agents/installed-agents.ts";
import { listSandboxPaths } from "../agents/sandbox-paths.ts";
import type { Call } from "../call.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import { inspectProject, type OpenFlags, openProject, type Project } from "../project/project.ts";
import { resolveSettings, type Settings } from "../project/settings.ts";
import { createRealWorld } from "../real-world.ts";
import { handleSignals } from "../start/signals.ts";
import { formatTrustHint, mayRun } from "../trust/trust.ts";
import { type AgentAnswer, askAgents } from "./ask-agents.ts";
import { toUserError } from "./symptom.ts";

export type AskResult = {
  readonly answers: readonly AgentAnswer[];
  /** Reason why no agent was asked. */
  readonly refused?: SignalboxError;
  /** Exit code of a signal received meanwhile. */
  readonly exit?: number;
};

type AskListener = {
  readonly begins: (agents: readonly string[]) => void;
  readonly heard: (answer: AgentAnswer) => void;
};

/** Asks the agents assigned to roles of this repository's pipelines, or all installed ones if none is assigned. */
export async function askRepositoryAgents(call: Call, flags: OpenFlags, listener: AskListener): Promise<AskResult> {
  const signals = handleSignals();
  try {
    const answers = await collectAnswers(await openAskProject(call, flags), signals.stop, listener);
    const exit = signals.exit();
    return exit === undefined ? { answers } : { answers, exit };
  } catch (error) {
    return { answers: [], refused: toUserError(error) };
  } finally {
    signals.close();
  }
}

/** Opens the project for asking agents, which may execute what the repository chose but runs no check. */
async function openAskProject(call: Call, flags: OpenFlags): Promise<Project> {
  const project = await inspectProject(call, flags);
  if (mayRun(project.trust) || project.repositoryCode.files.length === 0) return project;
  if (call.terminal && !call.json) return openProject(call, flags);
  throw new SignalboxError(
    "UNTRUSTED",
    "no agent was asked: the repository's configuration is not trusted yet",
    formatTrustHint(call),
  );
}

async function collectAnswers(
  { places, pipelines, drivers, repositoryCode }: Project,
  signal: AbortSignal,
  listener: AskListener,
) {
  const settings = resolveSettings(await loadConfigLayers(places));
  const known = pipelines.all.map(({ pipeline }) => pipeline);
  const agentsOfRoles = createAgentLookup({ agent: [] }, settings, drivers);
  const cast = listAssignments({ pipelines: known, agents: agentsOfRoles, files: repositoryCode.agentFiles });
  // Mailbox agents connect by themselves and cannot be asked.
  const assignments = (cast.length > 0 ? cast : await listInstalled(settings)).filter(
    ({ choice }) => !choice.driver.outside,
  );
  const sandbox = await chooseSandbox(settings.sandbox);
  const world = createRealWorld();
  const agents = assignments.map(({ choice }) => choice);
  const sandboxPaths = sandbox.confines.processes ? listSandboxPaths({ places, agents }) : undefined;
  listener.begins(agents.map(describeAgent));
  const processes = createSupervisor({ world, sandbox });
  const contained = sandbox.confines.files;
  return askAgents(assignments, {
    cache: places.cache,
    world,
    processes,
    sandboxPaths,
    contained,
    signal,
    heard: listener.heard,
  });
}

async function listInstalled(settings: Settings): Promise<readonly Assignment[]> {
  return (await listInstalledAgents()).map(({ driver }) => ({
    choice: applyDriverSettings(driver, settings),
    roles: [],
  }));
}
