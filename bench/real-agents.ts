import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRealWorld } from "../src/cli/real-world.ts";
import type { DispatchOrder, Driver } from "../src/core/ports/driver.ts";
import type { ProcessExit, Processes } from "../src/core/ports/processes.ts";
import { chooseSandbox } from "../src/processes/sandbox/sandbox.ts";
import { createSupervisor } from "../src/processes/supervisor.ts";
import { installAgent } from "../test/agents/install.ts";
import type { ModelRequest, Play } from "../test/model/play.ts";
import { type ModelServer, modelServer } from "../test/model/server.ts";
import { captureProcess } from "./by-hand.ts";
import { clock, type Marks, withDispatches } from "./dispatches.ts";
import type { Figure } from "./figure.ts";
import { type Round, realFigures } from "./real-figures.ts";
import type { RealAgent } from "./real-programs.ts";
import { smallRepository } from "./small-repository.ts";

const WARM_UP = 2;

export type BenchOrder = { readonly agents: readonly RealAgent[]; readonly dir: string; readonly rounds: number };

/**
 * Measures real agent programs on a scripted model, in turns: called by hand, dispatched, and dispatched into a
 * sandbox.
 */
export async function realAgentFigures({ agents, dir, rounds }: BenchOrder): Promise<Figure[]> {
  const model = await modelServer();
  const figures: Figure[] = [];
  for (const agent of agents) {
    const installed = await installAgent(agent.program);
    if ("missing" in installed)
      figures.push({ name: `a dispatch of the real ${agent.name}`, reached: "not installed" });
    else
      figures.push(...(await measureAgent({ agent, bin: installed.bin, model, dir: join(dir, agent.name), rounds })));
  }
  await model.close();
  return figures;
}

type AgentBench = {
  readonly agent: RealAgent;
  readonly bin: string;
  readonly model: ModelServer;
  readonly dir: string;
  readonly rounds: number;
};

async function measureAgent(place: AgentBench): Promise<Figure[]> {
  const { agent, bin, model, dir } = place;
  mkdirSync(dir);
  const repo = smallRepository(dir);
  const rewind = () => model.play(agent.name, ...PLAYS);
  const { driver, newest } = rememberOrders(agent.driver(bin, rewind()));
  const { processes, confine, walls } = await openSupervisors(bin);
  const rounds: Round[] = [];
  const stage = { dir, repo, driver, processes, writes: true, endOf, ...(walls ? { walls } : {}) };
  await withDispatches(stage, async (dispatch) => {
    const played = async (confined: boolean): Promise<Marks> => {
      rewind();
      confine(confined);
      return dispatch();
    };
    const byHand = async (home: string): Promise<number> => {
      const order = await captureProcess(agent.driver(bin, rewind()), placeAtHome(newest(), { dir, repo, home }));
      const ms = await agent.byHand(order);
      if (readFileSync(join(order.cwd, FILE), "utf8") !== CONTENT) throw new Error(`${agent.name} wrote no file`);
      return ms;
    };
    // The warm-up calls also record the prompt first.
    for (let n = 0; n < WARM_UP; n += 1) await played(n % 2 === 1);
    await byHand(KEPT);
    for (let n = 0; n < place.rounds; n += 1) {
      rounds.push({
        byHand: await byHand(KEPT),
        dispatched: await played(false),
        freshHome: await byHand(`fresh-${n}`),
        ...(walls ? { confined: await played(true) } : {}),
      });
    }
  });
  return realFigures(agent.name, rounds);
}

const FILE = "b.txt";
const CONTENT = "by a real agent\n";
const PLAYS: readonly [Play, ...Play[]] = [{ write: { path: FILE, content: CONTENT } }, { text: contract }];

function contract(_prompt: string, { prompts }: ModelRequest): string {
  const nonce = /"nonce":\s*"([^"]+)"/.exec(prompts.join("\n"))?.[1];
  return JSON.stringify({ nonce, contract: { did: "it" } });
}

/** The supervisor's own clock counts from the order. */
const endOf = (exit: ProcessExit, ordered: number) => ordered + exit.ms;

/** Wraps the driver and records its last order. */
function rememberOrders(driver: Driver) {
  let seen: DispatchOrder | undefined;
  return {
    driver: {
      ...driver,
      dispatch(order: DispatchOrder, processes: Processes, signal: AbortSignal) {
        seen = order;
        return driver.dispatch(order, processes, signal);
      },
    },
    newest(): DispatchOrder {
      if (seen === undefined) throw new Error("there was no dispatch yet");
      return seen;
    },
  };
}

type Home = { readonly dir: string; readonly repo: string; readonly home: string };

/** A person's home: files that a program creates at its first call still exist at the next. */
const KEPT = "home";

/** Uses the same prompt in a checkout that no other agent uses. */
function placeAtHome(order: DispatchOrder, { dir, repo, ...person }: Home): DispatchOrder {
  const place = (name: string) => join(dir, "by-hand", name);
  rmSync(place("checkout"), { recursive: true, force: true });
  cpSync(repo, place("checkout"), { recursive: true });
  mkdirSync(place(person.home), { recursive: true });
  return { ...order, cwd: place("checkout"), home: place(person.home), spool: place("spool") };
}

const OURS = fileURLToPath(new URL("..", import.meta.url));

/** Creates a supervisor with a sandbox and one without, and a switch between them. */
async function openSupervisors(bin: string) {
  const world = { ...createRealWorld(), now: clock };
  const sandbox = await chooseSandbox("auto");
  const [open, walled] = [createSupervisor({ world }), createSupervisor({ world, sandbox })];
  let confined = false;
  const processes: Processes = { ...open, start: (order) => (confined ? walled : open).start(order) };
  const readable = [OURS, dirname(process.execPath), dirname(bin)];
  const walls = { hidden: [homedir()].filter((path) => existsSync(path)), readable };
  return {
    processes,
    confine(on: boolean) {
      confined = on && sandbox.confines.files;
    },
    walls: sandbox.confines.files ? walls : undefined,
  };
}
