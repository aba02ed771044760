import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { SignalboxError } from "../../core/errors.ts";
import type { Detected } from "../../core/evidence/detect-commands.ts";
import { broughtBy } from "../brought.ts";
import { commandsBrought } from "../brought-commands.ts";
import type { Call } from "../call.ts";
import { type Candidate, candidates, firstOf, isUsable } from "../candidates.ts";
import { configText } from "../config-text.ts";
import { detectedIn } from "../detected.ts";
import { type Done, doneLines, type Found, foundLines } from "../init-lines.ts";
import { layersOf } from "../layers.ts";
import { askLine, askYes } from "../person.ts";
import { placesOf, type RepositoryPlaces, settle } from "../repository.ts";
import { settingsOf } from "../settings.ts";
import { isUnfit, type TriedCheck } from "../trial.ts";
import { trustStore } from "../trust-store.ts";
import { tryProposal } from "../try-proposal.ts";
import { userName } from "../user-name.ts";
import { realWorld } from "../world.ts";

/** `check` is false where what is proposed is not to be tried. */
export type InitFlags = { readonly yes?: boolean; readonly check?: boolean };

/** Sets a repository up: a small configuration, git told what not to see, and the person's yes to what is there. */
export async function init(call: Call, flags: InitFlags): Promise<number> {
  const places = await placesOf(call.dir);
  const asks = mayAsk(call, flags);
  const wrote = !existsSync(places.config);
  const detected = wrote ? await detectedIn(places.top) : await configuredIn(places);
  const found = { agents: await candidates(Date.now()), detected };
  const { behind } = await commandsBrought(places);
  if (!call.json) for (const line of foundLines(call, { ...found, behind })) call.print(line);
  const chosen = asks && wrote ? await choose(call, found) : proposed(found);
  const proposal = wrote && chosen.detected ? await tryProposal(call, flags, chosen.detected) : undefined;
  // Stopped in the middle it has shown nothing, and nothing is written.
  if (proposal?.exit !== undefined) return proposal.exit;
  if (wrote) await writeConfig(places, found, { ...chosen, unfit: proposal?.checks.filter(isUnfit) ?? [] });
  await settle(places);
  const trusted = await agree(call, places, { asks, wrote });
  // What is configured already runs only where somebody has said yes to it.
  const trial = wrote || !trusted ? proposal : await tryProposal(call, flags, detected);
  tell(call, places, { ...found, wrote, trusted, agent: wrote ? chosen.agent : undefined, trial });
  return trial?.exit ?? 0;
}

/** What counts where a configuration is there, in the form of what would have been found. */
async function configuredIn(places: RepositoryPlaces): Promise<Detected> {
  const { commands, setup } = settingsOf(await layersOf(places));
  return { commands, ...(setup ? { setup: { ...setup, from: "configured" } } : {}) };
}

type Finished = Found & Done;

function tell(call: Call, places: RepositoryPlaces, finished: Finished): void {
  if (call.json) call.emit({ ...documentOf(places, finished), trial: finished.trial ?? null });
  else for (const line of doneLines(call, finished)) call.print(line);
}

type Chosen = { readonly agent: Candidate | undefined; readonly detected: Detected | undefined };

function proposed({ agents, detected }: Found): Chosen {
  return { agent: firstOf(agents), detected };
}

/** Two questions at most; the yes to what the repository brought before is the third. */
async function choose(call: Call, found: Found): Promise<Chosen> {
  const playable = found.agents.filter(isUsable);
  const agent = playable.length > 1 ? await whoPlays(call, playable) : playable[0];
  const { detected } = found;
  const checks =
    detected.commands.length === 0 ||
    (await askYes("Judge work by these checks? They are tried at once.", { otherwise: true }));
  return { agent, detected: checks ? detected : undefined };
}

/** Asks until the answer is one of them; the beginning of a name is enough. */
async function whoPlays(call: Call, agents: readonly Candidate[]): Promise<Candidate> {
  const names = agents.map(({ program }) => program);
  const first = firstOf(agents)?.program ?? "";
  for (;;) {
    const said = await askLine(`Who plays the roles? ${names.join(", ")} [${first}]`, first);
    const meant = agents.filter(({ program }) => program === said || program.startsWith(said.toLowerCase()));
    const [agent] = meant;
    if (agent && meant.length === 1) return agent;
    const many = meant.map(({ program }) => program).join(" or ");
    call.print(meant.length > 1 ? `"${said}" could be ${many}.` : `There is no "${said}" among them.`);
  }
}

type Written = Chosen & { readonly unfit: readonly TriedCheck[] };

async function writeConfig(places: RepositoryPlaces, found: Found, { agent, detected, unfit }: Written): Promise<void> {
  await mkdir(places.own, { recursive: true });
  const others = found.agents.flatMap(({ driver }) => (driver && driver !== agent?.driver ? [driver] : []));
  // `wx`: never over a file that somebody wrote meanwhile.
  await writeFile(places.config, configText({ driver: agent?.driver, others, detected, unfit }), { flag: "wx" });
}

type Agreement = { readonly asks: boolean; readonly wrote: boolean };

/** To what was there before. What this very call wrote was just agreed to, line by line. */
async function agree(call: Call, places: RepositoryPlaces, { asks, wrote }: Agreement): Promise<boolean> {
  const brought = await broughtBy(places);
  const store = trustStore(places.top, realWorld());
  if ((await store.knows(brought)) === "recorded") return true;
  const mine = wrote && brought.files.length === 1;
  if (!mine && !call.json) {
    call.print("This repository brings what would run here:");
    for (const line of brought.shown) call.print(`  ${line}`);
  }
  if (!mine && asks && !(await askYes("Do you trust it?", { otherwise: true }))) return false;
  await store.record(brought.hash, userName());
  return true;
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
  done: Found & { readonly wrote: boolean; readonly trusted: boolean },
) {
  const { agents, detected, wrote, trusted } = done;
  return {
    v: 1,
    config,
    wrote,
    trusted,
    agents: agents.map((agent) => ({
      program: agent.program,
      version: agent.version,
      usable: isUsable(agent),
      login: agent.login?.found ?? null,
    })),
    commands: detected.commands,
    setup: detected.setup ?? null,
  };
}
