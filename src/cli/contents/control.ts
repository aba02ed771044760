import { agent, agents, call, finish, program, reporters, sandbox, trust } from "../program.ts";

// Resume, suspend, stop, land and revert.

program.commandsGroup("Control");

program
  .command("resume [run]")
  .description("continue a suspended run from its last recorded step")
  .addOption(agents())
  .addOption(agent())
  .option("--max-time <t>", "raise the time limit, e.g. 20m, 2h")
  .option("--max-dispatches <n>", "raise the dispatch limit")
  .option("--max-tokens <n>", "raise the token limit")
  .option("--budget <usd>", "raise the cost limit")
  .option("--note <text>", "add a note to the journal")
  .option("--config", "apply the configuration as it is now")
  .addOption(reporters("write a report at the end"))
  .option("--detach", "return at once and run in the background")
  .option("--wait", "wait for answers even without a terminal")
  .addOption(sandbox())
  .addOption(trust())
  .action(async (run, flags) => finish((await import("../commands/resume.ts")).resumeRun(call(), run, flags)));

program
  .command("pause [run]")
  .description("suspend a run; `resume` restarts its agents")
  .option("--note <text>", "record the reason")
  .action(async (run, flags) => finish((await import("../commands/pause.ts")).pauseAndPrint(call(), run, flags)));

program
  .command("stop <run> <agent>")
  .description("terminate one agent; the run continues")
  .option("--note <text>", "record the reason")
  .action(async (run, agent, flags) =>
    finish((await import("../commands/stop.ts")).stopOneAgent(call(), { run, agent, ...flags })),
  );

program
  .command("cancel [run]")
  .description("end a run permanently")
  .option("--note <text>", "record the reason")
  .action(async (run, flags) => finish((await import("../commands/cancel.ts")).cancelRun(call(), run, flags)));

program
  .command("land [run]")
  .description("land a run's work on the current branch")
  .option("--unaccepted", "include work that did not pass its gates; the commit says so")
  .option("--with-base", "include commits the run started from that this branch lacks")
  .action(async (run, flags) => finish((await import("../commands/land.ts")).landRun(call(), run, flags)));

program
  .command("revert [run]")
  .description("revert a run's work on the current branch")
  .action(async (run) => finish((await import("../commands/revert.ts")).revertRun(call(), run)));

program
  .command("gc")
  .description("show disk use of runs; remove what branches contain")
  .option("--dry-run", "show what would be removed")
  .option("-y, --yes", "remove without asking for confirmation")
  .option("--all-setups", "include dependencies installed for other repositories")
  .option("--shared", "include refs of finished runs on the team's remote")
  .action(async (flags) => finish((await import("../commands/gc.ts")).collectGarbage(call(), flags)));
