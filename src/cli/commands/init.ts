import type { DetectedProject } from "../../core/checks/detect/detect-commands.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { type Candidate, candidates, firstOf } from "../agents/agent-suggestion.ts";
import type { Call } from "../call.ts";
import { doneLines, foundLines, type InitFindings, type InitSummary } from "../doctor/init-lines.ts";
import { isUnfit, type Trial, type TriedCheck } from "../doctor/trial.ts";
import { tryProposal } from "../doctor/try-proposal.ts";
import { askConsent, askLine } from "../output/terminal-prompt.ts";
import { layersOf } from "../project/config-sources.ts";
import { type ConfigStanding, configStanding, configText, saysUnfit, writeConfig } from "../project/config-text.ts";
import { detectedIn } from "../project/detect-checks.ts";
import { describeExcludes, removeBroadExclude } from "../project/git-exclude.ts";
import { userName } from "../project/git-identity.ts";
import { noteRepository } from "../project/known-repositories.ts";
import { placesOf, type RepositoryPlaces, settle } from "../project/repository.ts";
import { settingsOf } from "../project/settings.ts";
import { realWorld } from "../real-world.ts";
import { teamOf } from "../team/team.ts";
import { readRepositoryCode } from "../trust/repository-code.ts";
import { repositoryCommands } from "../trust/repository-commands.ts";
import { trustStore } from "../trust/trust-store.ts";

/** `check` is false where what is proposed is not to be tried. */
export type InitFlags = { readonly yes?: boolean; readonly check?: boolean };

/** Sets a repository up: a small configuration, git told what not to see, and the person's yes to what is there. */
export async function init(call: Call, flags: InitFlags): Promise<number> {
  const places = await placesOf(call.dir);
  const asks = mayAsk(call, flags);
  const before = configStanding(places);
  const wrote = before !== "kept";
  const detected = wrote ? await detectedIn(places.top) : await configuredIn(places);
  const found = { agents: await candidatesFor(places, before), detected };
  const { behind } = await repositoryCommands(places);
  if (!call.json) for (const line of foundLines(call, { ...found, behind })) call.print(line);
  const chosen = asks && wrote ? await choose(call, found) : proposed(found);
  const proposal = wrote && chosen.detected ? await tryProposal(call, flags, chosen.detected) : undefined;
  // Stopped in the middle it has shown nothing, and nothing is written.
  if (proposal?.exit !== undefined) return proposal.exit;
  if (wrote) await writeFound(places, found, { ...chosen, unfit: proposal?.checks.filter(isUnfit) ?? [] });
  await settleFor(call, places);
  await noteRepository(places.top, realWorld());
  const trusted = await agree(call, places, { asks, wrote });
  if (trusted) await agreeForTeam(call, places);
  // What is configured already runs only where somebody has said yes to it.
  const trial = wrote || !trusted ? proposal : await tryProposal(call, flags, detected);
  const { exempt } = settingsOf(await layersOf(places));
  const outdated = await outdatedIn(places, { before, detected });
  tell(call, places, { ...found, before, trusted, agent: wrote ? chosen.agent : undefined, trial, exempt, outdated });
  return exitOf(trial, wrote);
}

/** Makes the folder, and says where git no longer ignores what an earlier version hid. */
async function settleFor(call: Call, places: RepositoryPlaces): Promise<void> {
  await settle(places);
  const removed = await removeBroadExclude(places);
  if (!call.json) for (const line of describeExcludes([], removed)) call.print(call.paint.dim(line));
}

/** What was just written lacks those that cannot run: one that can is enough. What was there before needs them all. */
function exitOf(trial: Trial | undefined, wrote: boolean): number {
  if (trial?.exit !== undefined) return trial.exit;
  const unfit = trial?.checks.filter(isUnfit).length ?? 0;
  const enough = unfit === 0 || (wrote && unfit < (trial?.checks.length ?? 0));
  return enough ? 0 : 4;
}

/** What counts where a configuration is there, in the form of what would have been found. */
async function configuredIn(places: RepositoryPlaces): Promise<DetectedProject> {
  const { commands, setup } = settingsOf(await layersOf(places));
  return { commands, ...(setup ? { setup: { ...setup, from: "configured" } } : {}) };
}

/** Who was chosen when it was first written plays on. */
async function candidatesFor(places: RepositoryPlaces, before: ConfigStanding): Promise<readonly Candidate[]> {
  const all = await candidates(Date.now());
  if (before !== "unfinished") return all;
  const configured = settingsOf(await layersOf(places)).agents["*"]?.driver;
  const chosen = all.filter(({ driver }) => driver.name === configured);
  return chosen.length > 0 ? chosen : all;
}

type Stood = { readonly before: ConfigStanding; readonly detected: DetectedProject };

/** Where a kept file still says of checks that they could not run. */
async function outdatedIn(places: RepositoryPlaces, { before, detected }: Stood): Promise<InitSummary["outdated"]> {
  if (before !== "kept" || !saysUnfit(places)) return undefined;
  const { commands } = await detectedIn(places.top);
  return { lacks: commands.filter(({ name }) => detected.commands.every((each) => each.name !== name)) };
}

type InitReport = InitFindings & InitSummary;

function tell(call: Call, places: RepositoryPlaces, finished: InitReport): void {
  if (call.json) call.emit({ ...documentOf(places, finished), trial: finished.trial ?? null });
  else for (const line of doneLines(call, finished)) call.print(line);
}

type InitChoice = { readonly agent: Candidate | undefined; readonly detected: DetectedProject | undefined };

function proposed({ agents, detected }: InitFindings): InitChoice {
  return { agent: firstOf(agents), detected };
}

/** Two questions at most; the yes to what the repository brought before is the third. */
async function choose(call: Call, found: InitFindings): Promise<InitChoice> {
  const agent = found.agents.length > 1 ? await chooseAgent(call, found.agents) : found.agents[0];
  const { detected } = found;
  const checks =
    detected.commands.length === 0 ||
    (await askConsent("Judge work by these checks? They are tried at once.", { otherwise: true }));
  return { agent, detected: checks ? detected : undefined };
}

/** Asks until the answer is one of them; the beginning of a name is enough. */
async function chooseAgent(call: Call, agents: readonly Candidate[]): Promise<Candidate> {
  const names = agents.map(({ driver }) => driver.program);
  const first = firstOf(agents)?.driver.program ?? "";
  for (;;) {
    const said = await askLine(`Who plays the roles? ${names.join(", ")} [${first}]`, first);
    const meant = agents.filter(
      ({ driver: { program } }) => program.startsWith(said.toLowerCase()) || program === said,
    );
    const [agent] = meant;
    if (agent && meant.length === 1) return agent;
    const many = meant.map(({ driver }) => driver.program).join(" or ");
    call.print(meant.length > 1 ? `"${said}" could be ${many}.` : `There is no "${said}" among them.`);
  }
}

type ConfigContent = InitChoice & { readonly unfit: readonly TriedCheck[] };

async function writeFound(
  places: RepositoryPlaces,
  found: InitFindings,
  { agent, detected, unfit }: ConfigContent,
): Promise<void> {
  const others = found.agents.flatMap(({ driver }) => (driver !== agent?.driver ? [driver.name] : []));
  const text = configText({ driver: agent?.driver.name, others, detected, unfit, tried: new Date() });
  await writeConfig(places, { text, lacks: unfit.length > 0 });
}

type Agreement = { readonly asks: boolean; readonly wrote: boolean };

/** To what was there before. What this very call wrote was just agreed to, line by line. */
async function agree(call: Call, places: RepositoryPlaces, { asks, wrote }: Agreement): Promise<boolean> {
  const repositoryCode = await readRepositoryCode(places);
  const store = trustStore(places.top, realWorld());
  if ((await store.knows(repositoryCode)) === "recorded") return true;
  const mine = wrote && repositoryCode.files.length === 1;
  if (!mine && !call.json) {
    call.print("This repository brings what would run here:");
    for (const line of repositoryCode.shown) call.print(`  ${line}`);
  }
  if (!mine && asks && !(await askConsent("Do you trust it?", { otherwise: true }))) return false;
  await store.record(repositoryCode.hash, userName());
  return true;
}

/** Workers run what this content brings from here on. */
async function agreeForTeam(call: Call, places: RepositoryPlaces): Promise<void> {
  const team = await teamOf(call, places);
  if (!team) return;
  const { openTeamStore } = await import("../team/team-store.ts");
  const { recordYes } = await import("../team/trust.ts");
  const store = await openTeamStore({ team, places, world: realWorld() });
  try {
    const { trust } = store.team.store;
    await recordYes({ trust, repo: team.name, repositoryCode: await readRepositoryCode(places) });
  } finally {
    await store.host.close();
  }
}

function mayAsk({ terminal }: Call, { yes = false }: InitFlags): boolean {
  if (terminal || yes) return !yes;
  throw new SignalboxError(
    "USAGE",
    "init asks questions, and there is no terminal to ask them on.",
    "Take what it proposes with `signalbox init --yes`.",
  );
}

function documentOf(
  { config }: RepositoryPlaces,
  done: InitFindings & { readonly before: ConfigStanding; readonly trusted: boolean },
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
