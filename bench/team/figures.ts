import { createRealWorld } from "../../src/cli/real-world.ts";
import { createDbosHost } from "../../src/hosts/dbos/host.ts";
import type { TestPostgres } from "../../test/support/postgres.ts";
import { atLeast, type Figure, median, percentile, perSecond, shown } from "../figure.ts";
import { plainDbos } from "../plain-dbos.ts";
import { engineOn, stepsPerSecond } from "../steps.ts";
import { dispatchDelays, followedRate } from "./latency.ts";
import { type WorkersRate, workersRate } from "./workers.ts";

const ROUNDS = 3;
const STEPS = 200;
const WARM_UP = 50;
const WORKERS = [1, 2, 4];
/** Milliseconds of waiting per step, like waiting for an agent, without computing. */
const WAITED = 25;

type Round = { readonly plain: number; readonly plainSteps: number; readonly ours: number };

/** Measures a team's Postgres: next to plain DBOS in the same round, and with more workers. */
export async function teamFigures(postgres: TestPostgres): Promise<Figure[]> {
  const [plainUrl, url] = [await postgres.database("plain"), await postgres.team("team")];
  const rounds: Round[] = [];
  for (let n = 0; n < ROUNDS; n += 1)
    rounds.push({ ...(await measurePlainRates(plainUrl)), ours: await measureOurRate(url) });
  const mid = (of: (round: Round) => number) => median(rounds.map(of));
  const grown = [];
  for (const workers of WORKERS) grown.push(await workersRate(url, workers));
  const waited: WorkersRate[] = [];
  for (const workers of WORKERS) waited.push(await workersRate(url, workers, WAITED));
  const delays = await dispatchDelays(url);
  return [
    { name: "plain DBOS, effects as steps of one workflow", reached: perSecond(mid((round) => round.plainSteps)) },
    atLeast({
      name: "durable steps of one run, distributed host, of plain DBOS with one workflow per effect",
      value: mid((round) => round.ours / round.plain),
      target: 1,
      unit: "×",
      from: `${perSecond(mid((round) => round.ours))} compared with ${perSecond(mid((round) => round.plain))}`,
    }),
    ...grown.map(({ workers, rate }) => ({
      name: `durable steps of 24 runs on ${workers} worker processes`,
      reached: `${perSecond(rate)}, ${perSecond(rate / workers)} each`,
    })),
    ...waited.map(({ workers, rate }) => ({
      name: `the same with steps of ${WAITED} ms on ${workers} worker processes, six runs at once each`,
      reached: `${perSecond(rate)}, ${shown(rate / (waited[0]?.rate ?? rate))} × the first`,
    })),
    {
      name: "from submit to the first attempt, one idle worker",
      reached: `${shown(median(delays))} ms (p95 ${shown(percentile(delays, 0.95))} ms)`,
    },
    { name: "events to a follower of a running run", reached: perSecond(await followedRate(url)) },
  ];
}

async function measurePlainRates(url: string): Promise<Omit<Round, "ours">> {
  const plain = await plainDbos(url);
  await plain.workflows(WARM_UP);
  const rates = { plain: await plain.workflows(STEPS), plainSteps: await plain.steps(STEPS) };
  await plain.stop();
  return rates;
}

async function measureOurRate(url: string): Promise<number> {
  const host = await createDbosHost({ url, world: createRealWorld() });
  const engine = await engineOn(host);
  await stepsPerSecond({ host, engine, runs: 1, steps: WARM_UP });
  const rate = await stepsPerSecond({ host, engine, runs: 1, steps: STEPS });
  await host.close();
  return rate;
}
