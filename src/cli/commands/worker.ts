import { hostname, totalmem } from "node:os";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { hidePassword } from "../../core/text/database-address.ts";
import { createDbosHost } from "../../hosts/dbos/host.ts";
import { openTeam } from "../../hosts/dbos/open-team.ts";
import type { AttemptLimits } from "../../hosts/dbos/tables/tasks.ts";
import { formatWorkerName } from "../../hosts/dbos/worker-name.ts";
import type { SandboxMode } from "../../processes/sandbox/sandbox.ts";
import { createExecutionBase, type ExecutionBase } from "../app.ts";
import type { Call } from "../call.ts";
import { readVersion } from "../program.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import { noteRepository } from "../project/known-repositories.ts";
import { openProjectWith, type Project } from "../project/project.ts";
import { resolvePlaces } from "../project/repository.ts";
import { resolveSettings, type Settings } from "../project/settings.ts";
import { createRealWorld } from "../real-world.ts";
import { readJournaledCheckout } from "../runs/checkout-files.ts";
import { enforceApprovers } from "../team/approvers.ts";
import { AgentLabels } from "../team/config.ts";
import { listOfferedLabels } from "../team/offers/labels.ts";
import { requireTeam } from "../team/require-team.ts";
import type { Team } from "../team/team.ts";
import { restrictToRepository } from "../team/team-store.ts";
import { requireTeamTrust } from "../team/trust.ts";
import { anchorPendingEnds, notePendingEnds, openPendingEnds } from "../team/worker/pending-ends.ts";
import { serveUntilStopped } from "../team/worker/until-stopped.ts";
import { createWorkHandlers } from "../team/worker/work-handlers.ts";
import { createWorkerLog } from "../team/worker/worker-log.ts";

export type WorkerFlags = {
  readonly labels?: string;
  readonly concurrency?: string;
  readonly sandbox?: SandboxMode;
  readonly trust?: boolean;
};

/** Default limit on the runs, and on the agents, that a worker executes at once. */
const DEFAULT_CONCURRENCY = 4;

/** Processes the team's runs of this repository until stopped. */
export async function runWorker(call: Call, flags: WorkerFlags): Promise<number> {
  const concurrency = parseConcurrency(flags);
  const labels = parseLabels(flags);
  const team = await requireTeam(call, await resolvePlaces(call.dir), "worker");
  const world = createRealWorld();
  const project = await openTrustedProject(call, { team, world, flags });
  const settings = resolveSettings(await loadConfigLayers(project.places));
  await noteRepository(project.places.top, world);
  const sandbox = flags.sandbox ?? settings.sandbox;
  const base = await createExecutionBase(project, {
    sandbox,
    environment: settings.environment,
    remote: team.remote,
    journaled: (run) => readJournaledCheckout({ host, world }, run),
  });
  const offers = listOffers(base, labels);
  const identity = { machine: hostname(), process: world.newId() };
  const name = formatWorkerName(identity);
  let runs: Host["runs"] | undefined;
  const voice = createWorkerLog({ call, rowOf: async (run) => runs?.get(run), now: world.now });
  const host = await createDbosHost({
    url: team.url,
    world: base.world,
    repo: team.name,
    offers,
    concurrency,
    ...identity,
    version: readVersion(),
    wakes: true,
    log: voice.warn,
    ...toCaps(settings),
  });
  runs = host.runs;
  const ends = openPendingEnds(project.places);
  const later = new AbortController();
  let left: Promise<void> | undefined;
  const closeHost = async (): Promise<void> => {
    later.abort();
    await left;
    await host.close();
  };
  return serveUntilStopped({ host: { close: closeHost }, log: voice }, async () => {
    const heeding = { approvers: settings.team.approvers, dropped: voice.warn };
    const own = notePendingEnds(enforceApprovers(restrictToRepository(host, team.name), heeding), ends);
    await host.serve(createWorkHandlers({ base, host: own, repo: team.name, owner: name, settings, log: voice, ends }));
    left = anchorPendingEnds({ ...base, ends, host: own, log: voice.warn }, later.signal);
    const facts = { worker: name, repository: team.name, postgres: hidePassword(team.url), offers, concurrency };
    voice.say(
      "worker.started",
      `${name} processes runs of ${team.name} from ${hidePassword(team.url)}, ${concurrency} at a time`,
      facts,
    );
    if (!call.json) call.print(call.paint.dim(`          offers ${offers.join(", ")}`));
  });
}

type TrustContext = { readonly team: Team; readonly world: World; readonly flags: WorkerFlags };

/**
 * Opens the project with the team's trust. Output goes to its own folder, apart from runs of this machine's own store.
 */
async function openTrustedProject(call: Call, { team, world, flags }: TrustContext): Promise<Project> {
  const store = await openTeam({ url: team.url, world });
  try {
    const project = await openProjectWith(call, ({ repositoryCode }) =>
      requireTeamTrust({ trust: store.team.trust, repo: team.name, repositoryCode }, flags.trust),
    );
    const { places } = project;
    return { ...project, places: { ...places, runs: join(places.own, "team", "runs") } };
  } finally {
    await store.close();
  }
}

function listOffers({ project, world, sandbox }: ExecutionBase, labels: readonly string[]): readonly string[] {
  const { pipelines, drivers } = project;
  return listOfferedLabels({
    world,
    pipelines: pipelines.all,
    drivers,
    sandbox: sandbox.name,
    memoryBytes: totalmem(),
    labels,
  });
}

function toCaps({ team: { caps } }: Settings): { readonly caps?: AttemptLimits } {
  if (!caps) return {};
  const { global, repository, drivers } = caps;
  return {
    caps: {
      ...(global === undefined ? {} : { global }),
      ...(repository === undefined ? {} : { repository }),
      ...(drivers === undefined ? {} : { drivers }),
    },
  };
}

function parseLabels({ labels = "" }: WorkerFlags): readonly string[] {
  const { data, error } = AgentLabels.safeParse(labels.split(",").flatMap((label) => label.trim() || []));
  if (data) return data;
  throw new SignalboxError("USAGE", `--labels: ${error.issues[0]?.message}.`, "Example: gpu,memory:16");
}

function parseConcurrency({ concurrency }: WorkerFlags): number {
  if (concurrency === undefined) return DEFAULT_CONCURRENCY;
  if (/^[1-9]\d{0,3}$/.test(concurrency)) return Number(concurrency);
  throw new SignalboxError(
    "USAGE",
    `--concurrency ${concurrency} is not a valid number.`,
    "Pass a number from 1 to 9999.",
  );
}
