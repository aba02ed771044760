import { SignalboxError } from "../core/errors.ts";
import { chooseSandbox } from "../processes/sandbox.ts";
import { supervisor } from "../processes/supervisor.ts";
import { agentsFrom, describeAgent } from "./agents.ts";
import { lookAtProject, type Project, type TrustFlags } from "./app.ts";
import { type Answer, askAgents } from "./ask-agents.ts";
import type { Call } from "./call.ts";
import { castOf, type Player } from "./cast.ts";
import { installedAgents } from "./installed-agents.ts";
import { layersOf } from "./layers.ts";
import { type Settings, settingsOf } from "./settings.ts";
import { heedSignals } from "./signals.ts";
import { refusal } from "./symptom.ts";
import { mayRun } from "./trust.ts";
import { wallsFor } from "./walls.ts";
import { realWorld } from "./world.ts";

export type Asked = {
  readonly answers: readonly Answer[];
  /** Why nobody was asked. */
  readonly refused?: SignalboxError;
  /** Of a signal that came meanwhile. */
  readonly exit?: number;
};

type Ears = { readonly begins: (agents: readonly string[]) => void; readonly heard: (answer: Answer) => void };

/** Asks those who would play the roles of this repository's pipelines; where nobody was chosen, those who are there. */
export async function askHere(call: Call, flags: TrustFlags, ears: Ears): Promise<Asked> {
  const signals = heedSignals();
  try {
    const answers = await answersOf(await projectOf(call, flags), signals.stop, ears);
    const exit = signals.exit();
    return exit === undefined ? { answers } : { answers, exit };
  } catch (error) {
    return { answers: [], refused: refusal(error) };
  } finally {
    signals.close();
  }
}

/** To ask an agent is to run what the repository may have chosen; it runs no check. */
async function projectOf(call: Call, flags: TrustFlags): Promise<Project> {
  const project = await lookAtProject(call, flags);
  if (mayRun(project.trust) || project.brought.files.length === 0) return project;
  throw new SignalboxError(
    "UNTRUSTED",
    "nobody was asked: what the repository brings waits for your yes",
    "signalbox init, or --trust for this call",
  );
}

async function answersOf({ places, pipelines, brought }: Project, signal: AbortSignal, ears: Ears) {
  const settings = settingsOf(await layersOf(places));
  const known = pipelines.all.map(({ pipeline }) => pipeline);
  const cast = castOf({ pipelines: known, agents: agentsFrom({ agent: [] }, settings), files: brought.agentFiles });
  // Whoever fetches from the mailbox comes by himself.
  const players = (cast.length > 0 ? cast : await present(settings)).filter(
    ({ choice }) => choice.driver !== "mailbox",
  );
  const sandbox = await chooseSandbox(settings.sandbox);
  const world = realWorld();
  const agents = players.map(({ choice }) => choice);
  const walls = sandbox.confines.processes ? wallsFor({ places, agents }) : undefined;
  ears.begins(agents.map(describeAgent));
  const processes = supervisor({ world, sandbox });
  const contained = sandbox.confines.files;
  return askAgents(players, { cache: places.cache, world, processes, walls, contained, signal, heard: ears.heard });
}

async function present(settings: Settings): Promise<readonly Player[]> {
  const drivers = (await installedAgents()).flatMap(({ driver }) => driver ?? []);
  return drivers.flatMap((driver) => {
    const choice = agentsFrom({ agent: [`*=${driver}`] }, settings)("*");
    return choice ? [{ choice, roles: [] }] : [];
  });
}
