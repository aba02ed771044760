import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atMost, type Figure, shown } from "../figure.ts";
import { smallRepository } from "../small-repository.ts";

const STEPS_OF_A_TASK = 4;
const SHORT = 2_000;
const LONG = 20_000;
const BIN = fileURLToPath(new URL("../../bin/signalbox.js", import.meta.url));
const RECORD = fileURLToPath(new URL("./record.ts", import.meta.url));
const AGENTS = "agents:\n  - role: worker\n    output: { summary: done }\n";
// Prints at the child's exit what no other process can read after its end.
const TELL = "process.on('exit',()=>console.error(JSON.stringify({kb:process.resourceUsage().maxRSS})))";

type CommandFigures = { readonly ms: number; readonly firstMs: number; readonly mb: number };
type Commands = Readonly<Record<"status" | "why" | "events" | "resume", CommandFigures>>;

/** Measures how long a person waits for a long run's page or its resume, and the same for a shorter run. */
export async function longRunFigures(dir: string): Promise<Figure[]> {
  const short = await measureLook(join(dir, "short"), SHORT);
  const long = await measureLook(join(dir, "long"), LONG);
  const figure = (name: keyof Commands, target: number): Figure => {
    const [a, b] = [short[name], long[name]];
    const from = `${shown(a.ms)} ms after ${count(SHORT)} steps; ${shown(b.mb)} MB resident, ${shown(a.mb)} MB then`;
    return atMost({ name: `\`${name}\` of a run of ${count(LONG)} steps`, value: b.ms, target, unit: "ms", from });
  };
  const first = { name: "`events --json` of it, first line", value: long.events.firstMs, target: 1_000 };
  return [
    figure("status", 1_000),
    figure("why", 1_000),
    atMost({
      ...first,
      unit: "ms",
      from: `all of it ${shown(long.events.ms)} ms, ${shown(long.events.mb)} MB resident`,
    }),
    figure("resume", 2_000),
  ];
}

const count = (steps: number): string => steps.toLocaleString("en");

async function measureLook(dir: string, steps: number): Promise<Commands> {
  mkdirSync(dir, { recursive: true });
  const repo = smallRepository(dir);
  execFileSync(process.execPath, [RECORD, repo, String(steps / STEPS_OF_A_TASK)]);
  const agents = join(dir, "agents.yaml");
  writeFileSync(agents, AGENTS);
  const look = (...args: readonly string[]) => measureCommand(dir, ["-C", repo, ...args]);
  await look("status");
  return {
    status: await look("status"),
    why: await look("why"),
    events: await look("events", "--json"),
    resume: await look("resume", "--agents", agents),
  };
}

function measureCommand(dir: string, args: readonly string[]): Promise<CommandFigures> {
  const places = { XDG_CACHE_HOME: join(dir, "cache"), XDG_STATE_HOME: join(dir, "state"), XDG_CONFIG_HOME: dir };
  const env = { ...process.env, ...places, SIGNALBOX_TRUST: "1", SIGNALBOX_NO_CHECKS: "nothing is run" };
  const from = performance.now();
  const child = spawn(process.execPath, ["--import", `data:text/javascript,${TELL}`, BIN, ...args], { env });
  let [firstMs, said] = [0, ""];
  child.stdout.on("data", () => {
    firstMs ||= performance.now() - from;
  });
  child.stderr.on("data", (chunk) => {
    said += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once("close", (code) => {
      const kb = /\{"kb":(\d+)\}/.exec(said)?.[1];
      // Exit code 3 means that the run still waits for its answer.
      if ((code !== 0 && code !== 3) || kb === undefined) reject(new Error(`${args.join(" ")}: ${code}\n${said}`));
      else resolve({ ms: performance.now() - from, firstMs, mb: Number(kb) / 1024 });
    });
  });
}
