import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { SignalboxError } from "../../core/errors.ts";
import type { Detected } from "../../core/evidence/detect-commands.ts";
import { broughtBy } from "../brought.ts";
import type { Call } from "../call.ts";
import { configText } from "../config-text.ts";
import { detectedIn } from "../detected.ts";
import { type InstalledAgent, installedAgents } from "../installed-agents.ts";
import { askLine, askYes } from "../person.ts";
import { placesOf, type RepositoryPlaces, settle } from "../repository.ts";
import { trustStore } from "../trust-store.ts";
import { userName } from "../user-name.ts";
import { realWorld } from "../world.ts";

export type InitFlags = { readonly yes?: boolean };

/** Sets a repository up: a small configuration, git told what not to see, and the person's yes to what is there. */
export async function init(call: Call, flags: InitFlags): Promise<number> {
  const places = await placesOf(call.dir);
  const asks = call.terminal && !flags.yes;
  if (!asks && !flags.yes) throw nobodyToAsk();
  const found = { agents: await installedAgents(), detected: await detectedIn(places.top) };
  const wrote = !existsSync(places.config);
  if (!call.json) tellFound(call, found);
  if (wrote) await writeConfig(places, asks ? await choose(found) : proposed(found));
  await settle(places);
  const trusted = await agree(call, places, asks);
  if (call.json) call.emit(documentOf(places, { ...found, wrote, trusted }));
  else tellDone(call, { wrote, trusted, agents: found.agents });
  return 0;
}

type Found = { readonly agents: readonly InstalledAgent[]; readonly detected: Detected };
type Chosen = { readonly agent: InstalledAgent | undefined; readonly detected: Detected | undefined };

const usable = ({ driver }: InstalledAgent): boolean => driver !== undefined;

function proposed({ agents, detected }: Found): Chosen {
  return { agent: agents.find(usable), detected };
}

/** Two questions at most; the yes to what the repository brings is the third. */
async function choose(found: Found): Promise<Chosen> {
  const { agents, detected } = found;
  const playable = agents.filter(usable);
  const names = playable.map(({ program }) => program);
  const said =
    names.length > 1
      ? await askLine(`Who plays the roles? ${names.join(", ")} [${names[0]}]`, names[0] ?? "")
      : names[0];
  const checks = detected.commands.length === 0 || (await askYes("Judge work by these checks?", { otherwise: true }));
  return {
    agent: playable.find(({ program }) => program === said) ?? playable[0],
    detected: checks ? detected : undefined,
  };
}

async function writeConfig(places: RepositoryPlaces, { agent, detected }: Chosen): Promise<void> {
  await mkdir(places.own, { recursive: true });
  // `wx`: never over a file that somebody wrote meanwhile.
  await writeFile(places.config, configText({ driver: agent?.driver, detected }), { flag: "wx" });
}

/** What was just written is as much code as what was there before: the yes is to both. */
async function agree(call: Call, places: RepositoryPlaces, asks: boolean): Promise<boolean> {
  const brought = await broughtBy(places);
  const store = trustStore(places.top, realWorld());
  if ((await store.knows(brought.hash)) === "recorded") return true;
  if (!call.json) {
    call.print("This repository brings:");
    for (const line of brought.shown) call.print(`  ${line}`);
  }
  if (asks && !(await askYes("Do you trust it?", { otherwise: true }))) return false;
  await store.record(brought.hash, userName());
  return true;
}

function nobodyToAsk(): SignalboxError {
  return new SignalboxError(
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
    agents: agents.map(({ program, version, driver }) => ({ program, version, usable: driver !== undefined })),
    commands: detected.commands,
    setup: detected.setup ?? null,
  };
}

function tellFound({ paint, print }: Call, { agents, detected }: Found): void {
  const names = agents.map(
    ({ program, version, driver }) => `${program} ${version}${driver ? "" : " (no driver yet)"}`,
  );
  print(`agents  ${names.join(", ") || paint.yellow("none of the known ones is on the PATH")}`);
  const { commands, setup } = detected;
  if (setup) print(`set-up  ${setup.run}  ${paint.dim(setup.lockFile)}`);
  for (const { name, run, from } of commands) print(`check   ${name}: ${run}  ${paint.dim(from)}`);
  if (commands.length === 0) print(`checks  ${paint.yellow("none found in the project's files")}`);
}

type Done = { readonly wrote: boolean; readonly trusted: boolean; readonly agents: readonly InstalledAgent[] };

function tellDone({ paint, print }: Call, { wrote, trusted, agents }: Done): void {
  print(
    `${paint.green("✓")} ${wrote ? "wrote" : "kept"} .signalbox/config.yaml${wrote ? "; commit it" : ", which was there"}`,
  );
  if (trusted) print(`${paint.green("✓")} your yes to what the repository brings is recorded; a change asks again`);
  else print(`${paint.yellow("!")} without your yes nothing of it runs`);
  const start = agents.some(usable) ? 'signalbox run ledger "<what you want>"' : "signalbox doctor";
  print(`  next: ${paint.cyan(start)}`);
}
