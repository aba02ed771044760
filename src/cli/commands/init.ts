import type { DetectedProject } from "../../core/checks/detect/detect-commands.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { type AgentCandidate, listAgentCandidates, suggestAgent } from "../agents/agent-suggestion.ts";
import type { Call } from "../call.ts";
import { formatFindings, formatInitSummary, type InitFindings, type InitSummary } from "../doctor/init-lines.ts";
import { tryProposal } from "../doctor/proposal-trial.ts";
import { isUnfit, type Trial, type TriedCheck } from "../doctor/trial.ts";
import { askConsent, askLine } from "../output/terminal-prompt.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import { type ConfigState, getConfigState, hasUnfitMarker, renderConfig, writeConfig } from "../project/config-text.ts";
import { detectChecks } from "../project/detect-checks.ts";
import { describeExcludes, removeBroadExclude } from "../project/git-exclude.ts";
import { getUserName } from "../project/git-identity.ts";
import { noteRepository } from "../project/known-repositories.ts";
import { prepareRepository as prepareFolders, type RepositoryPlaces, resolvePlaces } from "../project/repository.ts";
import { resolveSettings } from "../project/settings.ts";
import { createRealWorld } from "../real-world.ts";
import { resolveTeam } from "../team/team.ts";
import { readRepositoryCode } from "../trust/repository-code.ts";
import { readRepositoryCommands } from "../trust/repository-commands.ts";
import { createTrustStore } from "../trust/trust-store.ts";

/** `check` is false for `--no-check`. */
export type InitFlags = { readonly yes?: boolean; readonly check?: boolean };

/**
 * Sets up a repository: writes a small configuration, adds git excludes, and records the user's trust in what exists.
 */
export async function initRepository(call: Call, flags: InitFlags): Promise<number> {
  const places = await resolvePlaces(call.dir);
  const asks = canAskQuestions(call, flags);
  const before = getConfigState(places);
  const wrote = before !== "kept";
  const detected = wrote ? await detectChecks(places.top) : await readConfiguredProject(places);
  const found = { agents: await listCandidates(places, before), detected };
  const { behind } = await readRepositoryCommands(places);
  if (!call.json) for (const line of formatFindings(call, { ...found, behind })) call.print(line);
  const chosen = asks && wrote ? await askChoices(call, found) : chooseDefaults(found);
  const proposal = wrote && chosen.detected ? await tryProposal(call, flags, chosen.detected) : undefined;
  // An interrupted trial proves nothing, so nothing is written.
  if (proposal?.exit !== undefined) return proposal.exit;
  if (wrote) await writeDetectedConfig(places, found, { ...chosen, unfit: proposal?.checks.filter(isUnfit) ?? [] });
  await prepareRepository(call, places);
  await noteRepository(places.top, createRealWorld());
  const trusted = await askTrust(call, places, { asks, wrote });
  if (trusted) await recordTeamTrust(call, places);
  // Configured commands run only after someone has trusted them.
  const trial = wrote || !trusted ? proposal : await tryProposal(call, flags, detected);
  const { exempt } = resolveSettings(await loadConfigLayers(places));
  const outdated = await findOutdated(places, { before, detected });
  printInitReport(call, places, {
    ...found,
    before,
    trusted,
    agent: wrote ? chosen.agent : undefined,
    trial,
    exempt,
    outdated,
  });
  return chooseInitExit(trial, wrote);
}

/** Creates the folder and reports paths that an earlier version excluded and git now sees again. */
async function prepareRepository(call: Call, places: RepositoryPlaces): Promise<void> {
  await prepareFolders(places);
  const removed = await removeBroadExclude(places);
  if (!call.json) for (const line of describeExcludes([], removed)) call.print(call.paint.dim(line));
}

/**
 * A new configuration leaves out checks that cannot run, so one working check is enough. An existing one needs all of
 * its checks.
 */
function chooseInitExit(trial: Trial | undefined, wrote: boolean): number {
  if (trial?.exit !== undefined) return trial.exit;
  const unfit = trial?.checks.filter(isUnfit).length ?? 0;
  const enough = unfit === 0 || (wrote && unfit < (trial?.checks.length ?? 0));
  return enough ? 0 : 4;
}

/** Returns the configured commands in the form that detection returns. */
async function readConfiguredProject(places: RepositoryPlaces): Promise<DetectedProject> {
  const { commands, setup } = resolveSettings(await loadConfigLayers(places));
  return { commands, ...(setup ? { setup: { ...setup, from: "configured" } } : {}) };
}

/** An unfinished configuration keeps the agent chosen when it was first written. */
async function listCandidates(places: RepositoryPlaces, before: ConfigState): Promise<readonly AgentCandidate[]> {
  const all = await listAgentCandidates(Date.now());
  if (before !== "unfinished") return all;
  const configured = resolveSettings(await loadConfigLayers(places)).agents["*"]?.driver;
  const chosen = all.filter(({ driver }) => driver.name === configured);
  return chosen.length > 0 ? chosen : all;
}

type DetectedConfig = { readonly before: ConfigState; readonly detected: DetectedProject };

/** Finds checks that the configuration lists as unable to run and that no longer need to be. */
async function findOutdated(
  places: RepositoryPlaces,
  { before, detected }: DetectedConfig,
): Promise<InitSummary["outdated"]> {
  if (before !== "kept" || !hasUnfitMarker(places)) return undefined;
  const { commands } = await detectChecks(places.top);
  return { lacks: commands.filter(({ name }) => detected.commands.every((each) => each.name !== name)) };
}

type InitReport = InitFindings & InitSummary;

function printInitReport(call: Call, places: RepositoryPlaces, finished: InitReport): void {
  if (call.json) call.emit({ ...toInitDocument(places, finished), trial: finished.trial ?? null });
  else for (const line of formatInitSummary(call, finished)) call.print(line);
}

type InitChoice = { readonly agent: AgentCandidate | undefined; readonly detected: DetectedProject | undefined };

function chooseDefaults({ agents, detected }: InitFindings): InitChoice {
  return { agent: suggestAgent(agents), detected };
}

/** Asks at most two questions. Trust in the repository's own code is the third. */
async function askChoices(call: Call, found: InitFindings): Promise<InitChoice> {
  const agent = found.agents.length > 1 ? await askAgent(call, found.agents) : found.agents[0];
  const { detected } = found;
  const checks =
    detected.commands.length === 0 ||
    (await askConsent("Use these checks? They will be tried now.", { otherwise: true }));
  return { agent, detected: checks ? detected : undefined };
}

/** Asks until the answer matches one agent; a unique prefix is enough. */
async function askAgent(call: Call, agents: readonly AgentCandidate[]): Promise<AgentCandidate> {
  const names = agents.map(({ driver }) => driver.program);
  const first = suggestAgent(agents)?.driver.program ?? "";
  for (;;) {
    const said = await askLine(`Which agent should run the roles? ${names.join(", ")} [${first}]`, first);
    const meant = agents.filter(
      ({ driver: { program } }) => program.startsWith(said.toLowerCase()) || program === said,
    );
    const [agent] = meant;
    if (agent && meant.length === 1) return agent;
    const many = meant.map(({ driver }) => driver.program).join(" or ");
    call.print(meant.length > 1 ? `"${said}" is ambiguous: ${many}.` : `Unknown agent "${said}".`);
  }
}

type ConfigChoices = InitChoice & { readonly unfit: readonly TriedCheck[] };

async function writeDetectedConfig(
  places: RepositoryPlaces,
  found: InitFindings,
  { agent, detected, unfit }: ConfigChoices,
): Promise<void> {
  const others = found.agents.flatMap(({ driver }) => (driver !== agent?.driver ? [driver.name] : []));
  const text = renderConfig({ driver: agent?.driver.name, others, detected, unfit, tried: new Date() });
  await writeConfig(places, { text, lacks: unfit.length > 0 });
}

type TrustRequest = { readonly asks: boolean; readonly wrote: boolean };

/** Asks for trust in what existed before. The configuration written by this call was confirmed while it was built. */
async function askTrust(call: Call, places: RepositoryPlaces, { asks, wrote }: TrustRequest): Promise<boolean> {
  const repositoryCode = await readRepositoryCode(places);
  const store = createTrustStore(places.top, createRealWorld());
  if ((await store.knows(repositoryCode)) === "recorded") return true;
  const mine = wrote && repositoryCode.files.length === 1;
  if (!mine && !call.json) {
    call.print("This repository contains configuration and code that would run here:");
    for (const line of repositoryCode.shown) call.print(`  ${line}`);
  }
  if (!mine && asks && !(await askConsent("Do you trust it?", { otherwise: true }))) return false;
  await store.record(repositoryCode.hash, getUserName());
  return true;
}

/** From now on, the team's workers run what this content defines. */
async function recordTeamTrust(call: Call, places: RepositoryPlaces): Promise<void> {
  const team = await resolveTeam(call, places);
  if (!team) return;
  const { openTeamStore } = await import("../team/team-store.ts");
  const { recordTeamTrust } = await import("../team/trust.ts");
  const store = await openTeamStore({ team, places, world: createRealWorld() });
  try {
    const { trust } = store.team.store;
    await recordTeamTrust({ trust, repo: team.name, repositoryCode: await readRepositoryCode(places) });
  } finally {
    await store.host.close();
  }
}

function canAskQuestions({ terminal }: Call, { yes = false }: InitFlags): boolean {
  if (terminal || yes) return !yes;
  throw new SignalboxError(
    "USAGE",
    "init asks questions and needs a terminal.",
    "Accept its proposal without questions: `signalbox init --yes`.",
  );
}

function toInitDocument(
  { config }: RepositoryPlaces,
  done: InitFindings & { readonly before: ConfigState; readonly trusted: boolean },
) {
  const { agents, detected, before, trusted } = done;
  return {
    v: 1,
    config,
    wrote: before !== "kept",
    trusted,
    agents: agents.map((agent) => ({
      program: agent.driver.program,
      version: agent.version,
      usable: true,
      login: agent.login?.found ?? null,
    })),
    commands: detected.commands,
    setup: detected.setup ?? null,
    unknown: detected.unknown ?? [],
  };
}
