import { agent, agents, call, finish, program, reporters, sandbox, trust } from "../program.ts";

// Go on, stop, take over and take back.

program.commandsGroup("Control");

program
  .command("resume [run]")
  .description("go on where a run stopped; nothing recorded is repeated")
  .addOption(agents())
  .addOption(agent())
  .option("--max-time <t>", "a higher limit of time")
  .option("--max-dispatches <n>", "a higher limit of dispatches")
  .option("--max-tokens <n>", "a higher limit of tokens")
  .option("--budget <usd>", "a higher limit of money")
  .option("--note <text>", "a note for the journal")
  .option("--config", "go on by what the configuration says now, not by what it said when the run began")
  .addOption(reporters("write a report when it ends"))
  .option("--detach", "return at once; the run goes on by itself")
  .option("--wait", "stay while a question is open, also without a terminal")
  .addOption(sandbox())
  .addOption(trust())
  .action(async (run, flags) => finish((await import("../commands/resume.ts")).resume(call(), run, flags)));

program
  .command("pause [run]")
  .description("rest a run: agents at work are put down, and asked again by resume")
  .option("--note <text>", "why")
  .action(async (run, flags) => finish((await import("../commands/pause.ts")).pause(call(), run, flags)));

program
  .command("stop <run> <agent>")
  .description("end one agent at once; its attempt has failed, and the pipeline goes on without it")
  .option("--note <text>", "why")
  .action(async (run, agent, flags) =>
    finish((await import("../commands/stop.ts")).stop(call(), { run, agent, ...flags })),
  );

program
  .command("cancel [run]")
  .description("end a run for good")
  .option("--note <text>", "why")
  .action(async (run, flags) => finish((await import("../commands/cancel.ts")).cancel(call(), run, flags)));

program
  .command("land [run]")
  .description("take a run's work onto the branch that is checked out")
  .option("--unaccepted", "also what its gates did not let through; the commit says so, and that you took it")
  .option("--with-base", "also commits that the run started from and that this branch does not have")
  .action(async (run, flags) => finish((await import("../commands/land.ts")).land(call(), run, flags)));

program
  .command("revert [run]")
  .description("take a run's work back from the branch that is checked out")
  .action(async (run) => finish((await import("../commands/revert.ts")).revert(call(), run)));

program
  .command("gc")
  .description("what runs keep on disk; removes what a branch holds as well")
  .option("--dry-run", "only show")
  .option("-y, --yes", "remove without asking")
  .option("--all-setups", "also what set-ups of other repositories have installed")
  .option("--shared", "also the refs of finished runs on the remote of the team")
  .action(async (flags) => finish((await import("../commands/gc.ts")).gc(call(), flags)));
