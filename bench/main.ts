import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startPostgres } from "../test/support/postgres.ts";
import { dispatchFigures } from "./dispatch.ts";
import { atMost, type Figure } from "./figure.ts";
import { floodFigure } from "./flood.ts";
import { largeRepositoryFigures } from "./large-repository.ts";
import { longRunFigures } from "./long/figures.ts";
import { machineFacts } from "./machine.ts";
import { pageFigures } from "./page.ts";
import { realAgentFigures } from "./real-agents.ts";
import { REAL_AGENTS } from "./real-programs.ts";
import { reportOf, verdictOf } from "./report.ts";
import { resumeMs } from "./resume.ts";
import { startUpFigures } from "./start-up.ts";
import { storageFigures } from "./storage.ts";
import { teamFigures } from "./team/figures.ts";

// Measures everything in one run and writes bench/results/benchmarks.md.
//   --dir FOLDER   folder for the disk figures; by default the system's folder for temporary files
//   --large        also measure a repository of 40,000 files: takes minutes and some gigabytes of disk
//   --all          also run slow measurements (4 GiB of disk), and every real agent program instead of the first two
//   --quick        run one round of each as a smoke test; the page is not written

const RESUMED_STEPS = 10_000;
const ROUNDS = { storage: 5, agents: 15 };
const QUICKLY = { storage: 1, agents: 1 };
const USUAL_AGENTS = 2;
const LEFT_OUT =
  "Not measured this time (`--all`): the memory of four agents printing 1 GiB each; Claude Code and Gemini CLI.";
const REPORT = fileURLToPath(new URL("./results/benchmarks.md", import.meta.url));
const { values } = parseArgs({
  options: {
    dir: { type: "string" },
    all: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    large: { type: "boolean", default: false },
  },
});
const rounds = values.quick ? QUICKLY : ROUNDS;

const dir = createWorkFolder(values.dir ?? tmpdir());
// Postgres stores its files there too, so all figures use the same disk.
process.env["TMPDIR"] = dir;
const postgres = await startPostgres();
const figures: Figure[] = [];
try {
  const machine = await machineFacts(dir, postgres.url);
  console.log(machine.join("\n"));
  add(await storageFigures({ dir: createFolder("storage"), postgres, rounds: rounds.storage }));
  add(await teamFigures(postgres));
  add([await resumeFigure()]);
  add(await longRunFigures(createFolder("long-runs")));
  add(pageFigures());
  add(await dispatchFigures(createFolder("dispatch")));
  add(await startUpFigures(createFolder("start-up")));
  const real = values.all ? REAL_AGENTS : REAL_AGENTS.slice(0, USUAL_AGENTS);
  add(await realAgentFigures({ dir: createFolder("agents"), agents: real, rounds: rounds.agents }));
  if (values.large) add(await largeRepositoryFigures(createFolder("large")));
  if (values.all) add([floodFigure(createFolder("flood"))]);
  const left = values.all ? [] : [LEFT_OUT];
  const date = new Date().toISOString().slice(0, 10);
  if (!values.quick) writeFileSync(REPORT, reportOf({ date, machine, figures, left }));
} finally {
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
}

function add(more: readonly Figure[]): void {
  figures.push(...more);
  for (const figure of more) {
    const { name, target = "for information", reached } = figure;
    console.log(`${name}\n    ${reached}   ${target}   ${verdictOf(figure)}`);
  }
}

async function resumeFigure(): Promise<Figure> {
  const value = await resumeMs(createFolder("resume"), RESUMED_STEPS);
  return atMost({ name: "resume of a run with 10,000 recorded steps", value, target: 1_000, unit: "ms" });
}

function createFolder(name: string): string {
  const path = join(dir, name);
  mkdirSync(path);
  return path;
}

function createWorkFolder(parent: string): string {
  const made = realpathSync(mkdtempSync(join(parent, "signalbox-bench-")));
  // Postgres may run as a different user, which needs access.
  chmodSync(made, 0o755);
  return made;
}
