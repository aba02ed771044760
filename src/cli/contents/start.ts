import { Option } from "commander";
import { agent, agents, call, finish, program, reporters, sandbox, several, trust } from "../program.ts";

// Set up and run.

program.commandsGroup("Start");

program
  .command("init")
  .description("set this repository up: what was found, who plays, and your yes")
  .option("-y, --yes", "take what it proposes, and trust what the repository brings")
  .option("--no-check", "do not try the checks that it proposes")
  .action(async (flags) => finish((await import("../commands/init.ts")).init(call(), flags)));

program
  .command("doctor")
  .description("what a run needs, what is missing, and the line that gets it")
  .option("--ask", "also ask each agent one tiny question, which spends a few tokens")
  .option("--checks", "also try set-up and checks on a clean checkout of the last commit")
  .option("--notify", "also send a test message to everybody who is told of runs")
  .addOption(trust())
  .action(async (flags) => finish((await import("../commands/doctor.ts")).doctor(call(), flags)));

program
  .command("demo")
  .description("the whole story on scripted agents: no keys, no tokens, about a minute")
  .option("--pipeline <name>", "another pipeline's story: task, roadmap, phases, clusters, ticket", "ledger")
  .option("--keep", "leave the repository of the demo where it is")
  .action(async (flags) => finish((await import("../commands/demo.ts")).demo(call(), flags)));

program
  .command("run <pipeline> [request]")
  .description("start a pipeline on this repository; with a request alone, `task`")
  .addOption(
    new Option("--input <name=value|@file>", "what the pipeline is given").argParser(several).default([], "none"),
  )
  .addOption(agents())
  .addOption(agent())
  .addOption(new Option("--approvals <mode>", "who decides").choices(["interactive", "autonomous"]))
  .addOption(
    new Option("--min-confidence <c>", "below it a finished run leaves with 7 (medium)").choices([
      "low",
      "medium",
      "high",
    ]),
  )
  .option("--max-time <t>", "suspend after this much work, e.g. 90s, 20m, 2h")
  .option("--max-dispatches <n>", "suspend after this many dispatches")
  .option("--max-tokens <n>", "suspend after this many tokens, read and written")
  .option("--budget <usd>", "suspend when this much is spent")
  .addOption(sandbox())
  .option(
    "--from <run:phase>",
    "reuse what an earlier run had recorded before it last came to this phase (phase#1: the first time)",
  )
  .option("--record <dir>", "keep each dispatch as a script; --agents <dir> plays them again")
  .addOption(reporters("write a report when it ends"))
  .option("--detach", "return at once; the run goes on by itself")
  .option("--dry-run", "say what would run, and dispatch nothing")
  .addOption(trust())
  .action(async (pipeline, request, flags) =>
    finish((await import("../commands/run.ts")).run(call(), { pipeline, request, flags })),
  );

program
  .command("migrate")
  .description("make or update the tables of a team's Postgres; twice is harmless")
  .action(async () => finish((await import("../commands/migrate.ts")).migrate(call())));

program
  .command("worker")
  .description("serve a team's runs of this repository until told to stop")
  .option("--labels <a,b>", "what else this machine offers to those who ask for it, e.g. gpu,memory:64")
  .option("--concurrency <n>", "how many agents, and how many runs, at once (4)")
  .addOption(sandbox())
  .addOption(trust())
  .action(async (flags) => finish((await import("../commands/worker.ts")).worker(call(), flags)));
