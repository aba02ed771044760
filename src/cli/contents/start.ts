import { Option } from "commander";
import {
  appendValue,
  createAgentOption,
  createAgentsOption,
  createCurrentCall,
  createReporterOption,
  createSandboxOption,
  createTrustOption,
  formatExamples,
  program,
  setExitCode,
} from "../program.ts";

// Set up and run.

program.commandsGroup("Start");

program
  .command("init")
  .description("set up this repository: checks, agents and trust")
  .option("-y, --yes", "accept the proposal and trust the repository")
  .option("--no-check", "do not try the detected checks")
  .action(async (flags) =>
    setExitCode((await import("../commands/init.ts")).initRepository(createCurrentCall(), flags)),
  );

program
  .command("doctor")
  .description("check prerequisites and print how to fix problems")
  .option("--ask", "also send each agent a short question (uses a few tokens)")
  .option("--checks", "also try setup and checks on a clean checkout of HEAD")
  .option("--notify", "also send a test message to each notification target")
  .addOption(createTrustOption())
  .action(async (flags) => setExitCode((await import("../commands/doctor.ts")).runDoctor(createCurrentCall(), flags)));

program
  .command("demo")
  .description("run a pipeline with scripted agents (no keys needed)")
  .option("--pipeline <name>", "ledger, task, roadmap, phases, clusters or ticket", "ledger")
  .option("--keep", "keep the demo repository")
  .action(async (flags) => setExitCode((await import("../commands/demo.ts")).runDemo(createCurrentCall(), flags)));

program
  .command("run <pipeline> [request]")
  .description("run a pipeline (with a request alone: `task`)")
  .addOption(new Option("--input <name=value|@file>", "pipeline input (repeatable)").argParser(appendValue).default([]))
  .addOption(createAgentsOption())
  .addOption(createAgentOption())
  .addOption(new Option("--approvals <mode>", "who answers questions").choices(["interactive", "autonomous"]))
  .addOption(
    new Option("--min-confidence <c>", "exit with code 7 below this confidence")
      .choices(["low", "medium", "high"])
      .default(undefined, "medium"),
  )
  .option("--max-time <t>", "suspend after this long, e.g. 90s, 20m, 2h")
  .option("--max-dispatches <n>", "suspend after this many dispatches")
  .option("--max-tokens <n>", "suspend after this many tokens (in and out)")
  .option("--budget <usd>", "suspend when this amount is spent")
  .addOption(createSandboxOption())
  .option("--from <run:phase>", "reuse an earlier run's steps before this phase (phase#1: before its first visit)")
  .option("--record <dir>", "save dispatches as scripts for --agents")
  .addOption(createReporterOption("write a report at the end"))
  .option("--detach", "return at once and run in the background")
  .option("--dry-run", "show what would run; start no agent")
  .addOption(createTrustOption())
  .addHelpText(
    "after",
    formatExamples(
      'signalbox run "Fix the redirect after login"',
      'signalbox run ledger "Add CSV export" --agent reviewer=codex',
      "signalbox run roadmap --detach",
    ),
  )
  .action(async (pipeline, request, flags) =>
    setExitCode((await import("../commands/run.ts")).runPipeline(createCurrentCall(), { pipeline, request, flags })),
  );

program
  .command("migrate")
  .description("create or update the tables in the team's Postgres")
  .action(async () => setExitCode((await import("../commands/migrate.ts")).migrateTables(createCurrentCall())));

program
  .command("worker")
  .description("process the team's runs of this repository")
  .option("--labels <a,b>", "additional labels to offer, e.g. gpu,memory:64")
  .option("--concurrency <n>", "agents and runs at the same time (default: 4)")
  .addOption(createSandboxOption())
  .addOption(createTrustOption())
  .action(async (flags) => setExitCode((await import("../commands/worker.ts")).runWorker(createCurrentCall(), flags)));
