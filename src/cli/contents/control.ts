import {
  createAgentOption,
  createAgentsOption,
  createCurrentCall,
  createReporterOption,
  createSandboxOption,
  createTrustOption,
  program,
  setExitCode,
} from "../program.ts";

// Resume, suspend, stop, land and revert.

program.commandsGroup("Control");

program
  .command("resume [run]")
  .description("continue a suspended run from its last recorded step")
  .addOption(createAgentsOption())
  .addOption(createAgentOption())
  .option("--max-time <t>", "raise the time limit, e.g. 20m, 2h")
  .option("--max-dispatches <n>", "raise the dispatch limit")
  .option("--max-tokens <n>", "raise the token limit")
  .option("--budget <usd>", "raise the cost limit")
  .option("--note <text>", "add a note to the journal")
  .option("--config", "apply the configuration as it is now")
  .addOption(createReporterOption("write a report at the end"))
  .option("--detach", "return at once and run in the background")
  .option("--wait", "wait for answers even without a terminal")
  .addOption(createSandboxOption())
  .addOption(createTrustOption())
  .action(async (run, flags) =>
    setExitCode((await import("../commands/resume.ts")).resumeRun(createCurrentCall(), run, flags)),
  );

program
  .command("pause [run]")
  .description("suspend a run; `resume` restarts its agents")
  .option("--note <text>", "record the reason")
  .action(async (run, flags) =>
    setExitCode((await import("../commands/pause.ts")).pauseAndPrint(createCurrentCall(), run, flags)),
  );

program
  .command("stop <run> <agent>")
  .description("terminate one agent; the run continues")
  .option("--note <text>", "record the reason")
  .action(async (run, agent, flags) =>
    setExitCode((await import("../commands/stop.ts")).stopOneAgent(createCurrentCall(), { run, agent, ...flags })),
  );

program
  .command("cancel [run]")
  .description("end a run permanently")
  .option("--note <text>", "record the reason")
  .action(async (run, flags) =>
    setExitCode((await import("../commands/cancel.ts")).cancelRun(createCurrentCall(), run, flags)),
  );

program
  .command("land [run]")
  .description("land a run's work on the current branch")
  .option("--unaccepted", "include work that did not pass its gates; the commit says so")
  .option("--with-base", "include commits the run started from that this branch lacks")
  .action(async (run, flags) =>
    setExitCode((await import("../commands/land.ts")).landRun(createCurrentCall(), run, flags)),
  );

program
  .command("revert [run]")
  .description("revert a run's work on the current branch")
  .action(async (run) => setExitCode((await import("../commands/revert.ts")).revertRun(createCurrentCall(), run)));

program
  .command("gc")
  .description("show disk use of runs; remove what branches contain")
  .option("--dry-run", "show what would be removed")
  .option("-y, --yes", "remove without asking for confirmation")
  .option("--all-setups", "include dependencies installed for other repositories")
  .option("--shared", "include refs of finished runs on the team's remote")
  .action(async (flags) => setExitCode((await import("../commands/gc.ts")).collectGarbage(createCurrentCall(), flags)));
