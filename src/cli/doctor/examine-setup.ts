import { existsSync, readFileSync, statSync } from "node:fs";
import { selectInstallWay } from "../../core/checks/cure/install-ways.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { counted } from "../../core/text/count.ts";
import { checkSoundness } from "../../hosts/sqlite/soundness.ts";
import { findSandbox } from "../../processes/sandbox/sandbox.ts";
import { readCheckoutState } from "../../workspace/read/checkout.ts";
import { isInstalled } from "../agents/agents.ts";
import { readProgramVersion } from "../agents/installed-agents.ts";
import type { Call } from "../call.ts";
import { formatBytes } from "../output/format-bytes.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import { detectChecks } from "../project/detect-checks.ts";
import { formatEnvironment } from "../project/environment.ts";
import { mergePolicy } from "../project/policy.ts";
import { inspectProject, type OpenFlags, type Project } from "../project/project.ts";
import { type RepositoryPlaces, resolvePlaces } from "../project/repository.ts";
import { resolveSettings, type Settings } from "../project/settings.ts";
import { listMissingCommands, NO_CHECK_HINT } from "../start/run-problems.ts";
import { resolvePostgres, resolveTeam, type Team } from "../team/team.ts";
import { mayRun } from "../trust/trust.ts";
import { findAgentSymptoms } from "./agent-symptoms.ts";
import { findDiskSymptoms } from "./disk-symptoms.ts";
import { findMissingPrograms } from "./missing-programs.ts";
import { findNotifySymptoms } from "./notify-symptoms.ts";
import { suggestSandboxFix } from "./sandbox-fix.ts";
import { type Symptom, toUserError } from "./symptom.ts";
import { findTeamSymptoms } from "./team-symptoms.ts";
import { THIS_MACHINE } from "./this-machine.ts";
import { findUntestedProject } from "./untested-project.ts";

const LEAST_GIT = [2, 38] as const;
const GET_GIT = selectInstallWay(THIS_MACHINE, ["apt install git", "https://git-scm.com/install/linux"]) ?? "";

export async function examineSetup(call: Call, flags: OpenFlags): Promise<readonly Symptom[]> {
  const [git, sandbox] = await Promise.all([checkGit(), checkSandbox()]);
  const system: readonly Symptom[] = [{ what: "node", state: "fine", says: process.versions.node }, git];
  const places = await resolvePlaces(call.dir).catch((error: unknown) => toUserError(error));
  if ("code" in places)
    return [...system, { what: "repository", state: "missing", says: places.message, get: places.hint }, sandbox];
  const own = await checkRepository(call, places, flags).catch((error: unknown): readonly Symptom[] => {
    const { message, hint } = toUserError(error);
    return [{ what: "configuration", state: "missing", says: message, get: hint }];
  });
  return [
    ...system,
    await checkCheckout(places),
    sandbox,
    ...own,
    ...(await findDiskSymptoms(places)),
    checkDatabase(places, await hasTeamStore(call, places)),
  ];
}

async function checkGit(): Promise<Symptom> {
  const what = "git";
  if (!isInstalled(what)) return { what, state: "missing", says: "not on the PATH", get: GET_GIT };
  const version = await readProgramVersion(what);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const enough = major > LEAST_GIT[0] || (major === LEAST_GIT[0] && minor >= LEAST_GIT[1]);
  if (enough) return { what, state: "fine", says: version };
  return {
    what,
    state: "missing",
    says: `${version}; ${LEAST_GIT.join(".")} or newer is required`,
    get: GET_GIT,
  };
}

async function checkSandbox(): Promise<Symptom> {
  const { summary, confines } = await findSandbox();
  const says = summary.replace(/^sandbox: /, "");
  if (confines.files) return { what: "sandbox", state: "fine", says };
  const get = suggestSandboxFix({ ...THIS_MACHINE, setting: readKernelSetting });
  return { what: "sandbox", state: "note", says, get };
}

function readKernelSetting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").trim();
  } catch {
    return undefined;
  }
}

async function checkCheckout(places: RepositoryPlaces): Promise<Symptom> {
  const what = "repository";
  try {
    const { branch, dirt, operation } = await readCheckoutState(places.top);
    const where = `${places.top} on ${branch ?? "no branch"}`;
    if (operation) return { what, state: "note", says: `${where}, in the middle of a ${operation}` };
    const changes = `${dirt.length} ${dirt.length === 1 ? "change is" : "changes are"}`;
    return dirt.length === 0
      ? { what, state: "fine", says: `${where}, clean` }
      : { what, state: "note", says: `${where}; ${changes} not committed, but a run starts from the last commit` };
  } catch (error) {
    const { message, hint } = toUserError(error);
    return { what, state: "missing", says: message, get: hint };
  }
}

async function checkRepository(call: Call, places: RepositoryPlaces, flags: OpenFlags): Promise<readonly Symptom[]> {
  const layers = await loadConfigLayers(places);
  const settings = resolveSettings(layers);
  const project = await inspectProject(call, flags);
  const team = await resolveTeam(call, places).catch((error: unknown) => toUserError(error));
  const roles = project.pipelines.all.flatMap(({ pipeline }) => pipeline.roles.map(({ name }) => name));
  const agents = await findAgentSymptoms(settings, {
    layers,
    drivers: project.drivers,
    roles,
    now: Date.now(),
    elsewhere: team !== undefined,
  });
  const needed = await Promise.all(
    project.pipelines.all.map(async ({ pipeline }) =>
      listMissingCommands(pipeline, { settings, policy: await mergePolicy(places, layers, pipeline) }),
    ),
  );
  const unknown = settings.commands.length > 0 ? [] : ((await detectChecks(places.top)).unknown ?? []);
  return [
    ...checkCommands(settings, team !== undefined),
    ...checkEnvironment(settings),
    ...unknown.map((says): Symptom => ({ what: "checks", state: "note", says })),
    ...(await findUntestedProject(places.top, settings)),
    ...needed.flat(),
    ...agents,
    ...findNotifySymptoms(places, settings.targets),
    checkTrust(project),
    ...listBrokenFiles(project),
    ...(await checkTeam(team, project, settings)),
  ];
}

async function checkTeam(team: Team | SignalboxError | undefined, project: Project, settings: Settings) {
  if (team === undefined) return [];
  if (!(team instanceof SignalboxError)) return findTeamSymptoms(team, project, settings);
  const symptom: Symptom = { what: "team", state: "missing", says: team.message, get: team.hint };
  return [symptom];
}

/** `elsewhere`: workers run the commands, so a program that is missing here is not a problem. */
function checkCommands({ commands, setup, exempt }: Settings, elsewhere: boolean): readonly Symptom[] {
  const what = "checks";
  if (commands.length === 0 && exempt !== undefined)
    return [{ what, state: "note", says: `none, and none required: ${exempt}` }];
  if (commands.length === 0) {
    const says = "none: a run asks for confirmation at its start; an autonomous run is refused";
    return [{ what, state: "note", says, get: NO_CHECK_HINT }];
  }
  const missing = findMissingPrograms({ commands, setup });
  const lines = [
    ...(setup ? [{ name: "set-up", says: `set-up: ${setup.run}` }] : []),
    ...commands.map(({ name, run, from }) => ({ name, says: `${name}: ${run}  (${from})` })),
  ];
  return lines.map(({ name, says }) => {
    const unavailable = missing.filter(({ names }) => names.includes(name));
    if (unavailable.length === 0) return { what, state: "fine", says };
    const lacks = unavailable.map((each) => each.lacks).join(", ");
    // Each fix is printed once, below the first command that needs it.
    const get = unavailable.filter(({ names }) => names[0] === name).map((each) => each.get);
    return {
      what,
      state: elsewhere ? "note" : "missing",
      says: `${says}: ${lacks}`,
      ...(get.length > 0 ? { get: get.join("; ") } : {}),
    };
  });
}

function checkEnvironment({ environment }: Settings): readonly Symptom[] {
  const what = "environment";
  const passed = [...environment.setup.pass, ...environment.checks.pass];
  const unset = [...new Set(passed)].filter((name) => process.env[name] === undefined);
  return [
    ...formatEnvironment(environment).map((says): Symptom => ({ what, state: "fine", says })),
    ...unset.map(
      (name): Symptom => ({ what, state: "note", says: `${name} is configured to be passed but is not set here` }),
    ),
  ];
}

/** A broken file blocks only runs that use what it defines. */
function listBrokenFiles({ pipelines, drivers }: Project): readonly Symptom[] {
  const brokenFiles = [
    ...pipelines.broken.map((each) => ({ what: "pipelines", ...each })),
    ...drivers.broken.map((each) => ({ what: "drivers", ...each })),
  ];
  return brokenFiles.map(({ what, error }) => ({ what, state: "note", says: error.message, get: error.hint }));
}

function checkTrust({ trust, repositoryCode }: Project): Symptom {
  const what = "trust";
  if (trust === "nothing brought") return { what, state: "fine", says: "the repository defines no code of its own" };
  const files = [counted(repositoryCode.files.length, "file"), counted(repositoryCode.commands, "command")]
    .filter((part) => !part.startsWith("0 "))
    .join(" and ");
  if (mayRun(trust))
    return {
      what,
      state: "fine",
      says: `you trust ${files} (${trust === "recorded" ? trust : "for this call"})`,
    };
  return {
    what,
    state: "missing",
    says: `${files} ${trust === "changed" ? "changed and must be trusted again" : "not trusted yet"}`,
    get: "signalbox init",
  };
}

/** True if the runs are in a team's Postgres. An unreadable configuration is reported by its own symptom. */
async function hasTeamStore(call: Call, places: RepositoryPlaces): Promise<boolean> {
  return (await resolvePostgres(call, places).catch(() => undefined)) !== undefined;
}

function checkDatabase({ database }: RepositoryPlaces, shared: boolean): Symptom {
  const what = "database";
  if (!existsSync(database))
    return { what, state: "fine", says: shared ? "none here: runs are stored in the team's Postgres" : "no runs yet" };
  const found = checkSoundness(database);
  if (found.is === "sound") return { what, state: "fine", says: `sound, ${formatBytes(statSync(database).size)}` };
  if (found.is === "damaged")
    return { what, state: "missing", says: `damaged: ${found.told}`, get: `mv ${database} ${database}.damaged` };
  const { message, hint } = toUserError(found.error);
  return { what, state: "missing", says: message, get: hint };
}
