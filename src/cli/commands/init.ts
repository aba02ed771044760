import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import type { DetectedProject } from "../../core/checks/detect/detect-commands.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { type Candidate, candidates, firstOf } from "../agents/agent-suggestion.ts";
import type { Call } from "../call.ts";
import { doneLines, foundLines, type InitFindings, type InitSummary } from "../doctor/init-lines.ts";
import { isUnfit, type Trial, type TriedCheck } from "../doctor/trial.ts";
import { tryProposal } from "../doctor/try-proposal.ts";
import { askConsent, askLine } from "../output/terminal-prompt.ts";
import { layersOf } from "../project/config-sources.ts";
import { configText } from "../project/config-text.ts";
import { detectedIn } from "../project/detect-checks.ts";
import { noteRepository } from "../project/known-repositories.ts";
import { placesOf, type RepositoryPlaces, settle } from "../project/repository.ts";
import { settingsOf } from "../project/settings.ts";
import { userName } from "../project/user-name.ts";
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
  const wrote = !existsSync(places.config);
  const detected = wrote ? await detectedIn(places.top) : await configuredIn(places);
  const found = { agents: await candidates(Date.now()), detected };
  const { behind } = await repositoryCommands(places);
  if (!call.json) for (const line of foundLines(call, { ...found, behind })) call.print(line);
  const chosen = asks && wrote ? await choose(call, found) : proposed(found);
  const proposal = wrote && chosen.detected ? await tryProposal(call, flags, chosen.detected) : undefined;
  // Stopped in the middle it has shown nothing, and nothing is written.
  if (proposal?.exit !== undefined) return proposal.exit;
  if (wrote) await writeConfig(places, found, { ...chosen, unfit: proposal?.checks.filter(isUnfit) ?? [] });
  await settle(places);
  await noteRepository(places.top, realWorld());
  const trusted = await agree(call, places, { asks, wrote });
  if (trusted) await agreeForTeam(call, places);
  // What is configured already runs only where somebody has said yes to it.
  const trial = wrote || !trusted ? proposal : await tryProposal(call, flags, detected);
  const { exempt } = settingsOf(await layersOf(places));
  tell(call, places, { ...found, wrote, trusted, agent: wrote ? chosen.agent : undefined, trial, exempt });
  return exitOf(trial, wrote);
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

async function writeConfig(
  places: RepositoryPlaces,
  found: InitFindings,
  { agent, detected, unfit }: ConfigContent,
): Promise<void> {
  await mkdir(places.own, { recursive: true });
  const others = found.agents.flatMap(({ driver }) => (driver !== agent?.driver ? [driver.name] : []));
  // `wx`: never over a file that somebody wrote meanwhile.
  const text = configText({ driver: agent?.driver.name, others, detected, unfit, tried: new Date() });
  await writeFile(places.config, text, { flag: "wx" });
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
  done: InitFindings & { readonly wrote: boolean; readonly trusted: boolean },
) {
  const { agents, detected, wrote, trusted } = done;
  return {
    v: 1,
    config,
    wrote,
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
