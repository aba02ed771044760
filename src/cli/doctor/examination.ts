import { existsSync, statSync } from "node:fs";
import { mkdir, statfs } from "node:fs/promises";
import { homedir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { findSandbox } from "../processes/sandbox.ts";
import { gitWorkspace } from "../workspace/workspace.ts";
import { agentSymptoms } from "./agent-symptoms.ts";
import { isInstalled } from "./agents.ts";
import { lookAtProject, type Project, type TrustFlags } from "./app.ts";
import { bytesText } from "./bytes.ts";
import type { Call } from "./call.ts";
import { versionOf } from "./installed-agents.ts";
import { layersOf } from "./layers.ts";
import { placesOf, type RepositoryPlaces } from "./repository.ts";
import { type Settings, settingsOf } from "./settings.ts";
import { refusal, type Symptom } from "./symptom.ts";
import { mayRun } from "./trust.ts";

const LEAST_GIT = [2, 38] as const;
const LEAST_BYTES = 500e6;

export async function examine(call: Call, flags: TrustFlags): Promise<readonly Symptom[]> {
  const [git, sandbox] = await Promise.all([gitSymptom(), sandboxSymptom()]);
  const system: readonly Symptom[] = [{ what: "node", state: "fine", says: process.versions.node }, git];
  const places = await placesOf(call.dir).catch((error: unknown) => refusal(error));
  if ("code" in places)
    return [...system, { what: "repository", state: "missing", says: places.message, get: places.hint }, sandbox];
  const own = await repositorySymptoms(call, places, flags).catch((error: unknown): readonly Symptom[] => {
    const { message, hint } = refusal(error);
    return [{ what: "configuration", state: "missing", says: message, get: hint }];
  });
  return [
    ...system,
    await checkoutSymptom(places),
    sandbox,
    ...own,
    await diskSymptom(places),
    databaseSymptom(places),
  ];
}

async function gitSymptom(): Promise<Symptom> {
  const what = "git";
  if (!isInstalled(what)) return { what, state: "missing", says: "not on the PATH", get: "sudo apt install git" };
  const version = await versionOf(what);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const enough = major > LEAST_GIT[0] || (major === LEAST_GIT[0] && minor >= LEAST_GIT[1]);
  if (enough) return { what, state: "fine", says: version };
  return {
    what,
    state: "missing",
    says: `${version}; ${LEAST_GIT.join(".")} or newer is needed`,
    get: "sudo apt install git",
  };
}

async function sandboxSymptom(): Promise<Symptom> {
  const { summary, confines } = await findSandbox();
  const says = summary.replace(/^sandbox: /, "");
  if (confines.files) return { what: "sandbox", state: "fine", says };
  const get = isInstalled("bwrap")
    ? "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
    : "sudo apt install bubblewrap";
  return { what: "sandbox", state: "note", says, get };
}

async function checkoutSymptom(places: RepositoryPlaces): Promise<Symptom> {
  const what = "repository";
  try {
    const workspace = await gitWorkspace({ repo: places.top, cache: places.cache });
    await workspace.head();
    const { branch, dirt, operation } = await workspace.state();
    const where = `${places.top} on ${branch ?? "no branch"}`;
    if (operation) return { what, state: "note", says: `${where}, in the middle of a ${operation}` };
    const changes = `${dirt.length} ${dirt.length === 1 ? "change is" : "changes are"}`;
    return dirt.length === 0
      ? { what, state: "fine", says: `${where}, clean` }
      : { what, state: "note", says: `${where}; ${changes} not committed, and a run starts from the last commit` };
  } catch (error) {
    const { message, hint } = refusal(error);
    return { what, state: "missing", says: message, get: hint };
  }
}

async function repositorySymptoms(
  call: Call,
  places: RepositoryPlaces,
  flags: TrustFlags,
): Promise<readonly Symptom[]> {
  const layers = await layersOf(places);
  const settings = settingsOf(layers);
  const project = await lookAtProject(call, flags);
  return [...commandSymptoms(settings), ...(await agentSymptoms(settings, layers, Date.now())), trustSymptom(project)];
}

function commandSymptoms({ commands, setup, exempt }: Settings): readonly Symptom[] {
  const what = "checks";
  if (commands.length === 0 && exempt !== undefined)
    return [{ what, state: "note", says: `none, and none is needed: ${exempt}` }];
  if (commands.length === 0) {
    const get = "signalbox init, or commands: in .signalbox/config.yaml, or no-checks: <the reason>";
    return [
      {
        what,
        state: "note",
        says: "none: a run asks at its start whether that is meant; an autonomous one is refused",
        get,
      },
    ];
  }
  const lines = commands.map(({ name, run, from }) => `${name}: ${run}  (${from})`);
  return [...(setup ? [`set-up: ${setup.run}`] : []), ...lines].map((says) => ({ what, state: "fine", says }));
}

function trustSymptom({ trust, brought }: Project): Symptom {
  const what = "trust";
  if (trust === "nothing brought") return { what, state: "fine", says: "the repository brings no code of its own" };
  const files = [counted(brought.files.length, "file"), counted(brought.commands, "command")]
    .filter((part) => !part.startsWith("0 "))
    .join(" and ");
  if (mayRun(trust))
    return {
      what,
      state: "fine",
      says: `your yes to ${files} is ${trust === "recorded" ? trust : "given for this call"}`,
    };
  return {
    what,
    state: "missing",
    says: `your yes to ${files} is ${trust === "changed" ? "needed again" : "needed"}`,
    get: "signalbox init",
  };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

async function diskSymptom({ cache }: RepositoryPlaces): Promise<Symptom> {
  const what = "disk";
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(cache);
  const free = bavail * bsize;
  const says = `${bytesText(free)} free at ${cache.replace(homedir(), "~")}`;
  if (free >= LEAST_BYTES) return { what, state: "fine", says };
  return { what, state: "missing", says, get: "signalbox gc, or XDG_CACHE_HOME=<a roomier place>" };
}

function databaseSymptom({ database }: RepositoryPlaces): Symptom {
  const what = "database";
  if (!existsSync(database)) return { what, state: "fine", says: "no runs yet" };
  try {
    const opened = new DatabaseSync(database, { readOnly: true });
    // The pragma has one column, named after itself, and one row when all is well.
    const verdict = opened.prepare("PRAGMA quick_check(1)").get() as { quick_check: string } | undefined;
    opened.close();
    const size = bytesText(statSync(database).size);
    if (verdict?.quick_check === "ok") return { what, state: "fine", says: `sound, ${size}` };
    return {
      what,
      state: "missing",
      says: `damaged: ${verdict?.quick_check}`,
      get: `mv ${database} ${database}.damaged`,
    };
  } catch (error) {
    const says = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return { what, state: "missing", says, get: `mv ${database} ${database}.damaged` };
  }
}
