import { loginOf } from "./agent-login.ts";
import { type AgentChoice, agentsFrom, describeAgent, isInstalled, playersOf, programOf } from "./agents.ts";
import { AGENT_PROGRAMS } from "./drivers.ts";
import { type InstalledAgent, installedAgents } from "./installed-agents.ts";
import type { Layer } from "./layers.ts";
import type { Settings } from "./settings.ts";
import { refusal, type Symptom } from "./symptom.ts";

const what = "agents";

/** Who was chosen and whether they are there; then every known program that is, with its version and login. */
export async function agentSymptoms(
  settings: Settings,
  layers: readonly Layer[],
  now: number,
): Promise<readonly Symptom[]> {
  const installed = await installedAgents();
  const said = Object.keys(settings.agents).map((role) => saidSymptom(role, settings, { layers, now }));
  const chosen = said.flatMap(({ programs }) => programs);
  const found = installed.map((agent) => {
    const used = said.length === 0 || chosen.includes(agent.program);
    return installedSymptom(agent, { choice: choiceFor(agent, settings), used, now });
  });
  if (said.length > 0 || installed.some(({ driver }) => driver)) {
    return [...said.map(({ programs: _programs, ...symptom }) => symptom), ...found];
  }
  const [first] = AGENT_PROGRAMS.filter(({ driver }) => driver);
  const says = "none that can play a role; `signalbox demo` needs none";
  return [...found, { what, state: "missing", says, ...(first ? { get: first.install } : {}) }];
}

type Said = Symptom & { readonly programs: readonly string[] };
type Looking = { readonly layers: readonly Layer[]; readonly now: number };

function saidSymptom(role: string, settings: Settings, { layers, now }: Looking): Said {
  const from = layers.find(({ config }) => config.agents?.[role])?.from ?? "";
  const others = Object.keys(settings.agents).length > 1 ? "every other role" : "every role";
  try {
    const players = playersOf(agentsFrom({ agent: [] }, settings)(role));
    const names = players.map((choice) => `${describeAgent(choice)}${strangersLogin(choice, now)}`);
    const says = `${role === "*" ? others : role}: ${names.join(", instead of it ")}  (${from})`;
    // Whoever fetches from the mailbox is no program of ours.
    const programs = players.flatMap((choice) => programOf(choice) ?? []);
    const absent = programs.find((program) => !isInstalled(program));
    if (absent === undefined) return { what, state: "fine", says, programs };
    const get = AGENT_PROGRAMS.find(({ program }) => program === absent)?.install ?? `put ${absent} on the PATH`;
    return { what, state: "missing", says: `${says}: ${absent} is not on the PATH`, get, programs };
  } catch (error) {
    const { message, hint } = refusal(error);
    return { what, state: "missing", says: message, get: hint, programs: [] };
  }
}

/** A known program has a line of its own, with its login; another one has only this. */
function strangersLogin(choice: AgentChoice, now: number): string {
  if (AGENT_PROGRAMS.some(({ program }) => program === programOf(choice))) return "";
  const login = loginOf(choice, now);
  return login ? `, ${login.says}${login.get === undefined ? "" : `: ${login.get}`}` : "";
}

function choiceFor({ driver }: InstalledAgent, { drivers }: Settings): AgentChoice | undefined {
  return driver && agentsFrom({ agent: [`*=${driver}`] }, { agents: {}, drivers })("*");
}

type Use = { readonly choice: AgentChoice | undefined; readonly used: boolean; readonly now: number };

/** What is wrong with a program that nobody chose is worth a word, not a warning. */
function installedSymptom({ program, version, tried }: InstalledAgent, { choice, used, now }: Use): Symptom {
  if (!choice) return { what, state: "note", says: `${program} ${version}: no driver of its own; usable as a command` };
  const login = loginOf(choice, now);
  const other = tried !== undefined && version !== tried;
  const says = [
    `${program} ${version}${other ? ` (${age(version, tried)} than ${tried}, which was tried)` : ""}`,
    ...(login ? [login.says] : []),
  ].join(", ");
  if (!used) return { what, state: "fine", says };
  if (login && !login.found)
    return { what, state: "note", says, ...(login.get === undefined ? {} : { get: login.get }) };
  return { what, state: other ? "note" : "fine", says };
}

function age(version: string, tried: string): string {
  const [here, there] = [version, tried].map((text) => text.split(/[.-]/).map(Number));
  const at = there?.findIndex((part, index) => part !== here?.[index]) ?? -1;
  const [mine, theirs] = [here?.[at], there?.[at]];
  if (mine === undefined || theirs === undefined || Number.isNaN(mine)) return "other";
  return mine > theirs ? "newer" : "older";
}
