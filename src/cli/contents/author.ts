import { Argument } from "commander";
import { agent, agents, call, finish, program, trust } from "../program.ts";

// Pipelines, roles, settings.

program.commandsGroup("Author");

program
  .command("mcp")
  .description("serve this repository's runs to editors and agents, over the Model Context Protocol")
  .action(async () => finish((await import("../commands/mcp.ts")).mcp(call())));

const pipelines = program
  .command("pipelines")
  .description("look at pipelines and begin one: list, show, graph, check, new");

pipelines
  .command("list")
  .description("what there is to run")
  .addOption(trust())
  .action(async (flags) => finish((await import("../commands/pipelines.ts")).list(call(), flags)));

pipelines
  .command("show <name>")
  .description("its phases, roles, gates, limits, input and files")
  .option("--rules", "every rule that it keeps, and where")
  .addOption(trust())
  .action(async (name, flags) => finish((await import("../commands/pipelines.ts")).show(call(), name, flags)));

pipelines
  .command("graph <name>")
  .description("its phases as a Mermaid flowchart")
  .addOption(trust())
  .action(async (name, flags) => finish((await import("../commands/pipelines.ts")).graph(call(), name, flags)));

pipelines
  .command("check [name]")
  .description("replay every finished run with today's code")
  .addOption(trust())
  .action(async (name, flags) => finish((await import("../commands/pipelines.ts")).check(call(), name, flags)));

pipelines
  .command("new <name>")
  .description("write a pipeline of your own that runs at once")
  .option("--from <name>", "what to begin with: minimal, review, or a built-in pipeline as a whole", "minimal")
  .action(async (name, flags) => finish((await import("../commands/pipelines.ts")).create(call(), name, flags)));

const roles = program.command("agents").description("who plays the roles: list, check");

roles
  .command("list [pipeline]")
  .description("each role's agent, prompt and model, and where they come from")
  .addOption(agents())
  .addOption(agent())
  .addOption(trust())
  .action(async (pipeline, flags) => finish((await import("../commands/agents.ts")).list(call(), pipeline, flags)));

roles
  .command("check [pipeline]")
  .description("whether every role can be played; 4 when one cannot")
  .addOption(agents())
  .addOption(agent())
  .addOption(trust())
  .action(async (pipeline, flags) => finish((await import("../commands/agents.ts")).check(call(), pipeline, flags)));

const config = program.command("config").description("the settings that count: get, explain");

config
  .command("get [key]")
  .description("the value of a setting, or of all")
  .action(async (key) => finish((await import("../commands/config.ts")).get(call(), key)));

config
  .command("explain [key]")
  .description("where each value was said, and what it hides")
  .action(async (key) => finish((await import("../commands/config.ts")).explain(call(), key)));

program
  .command("completion")
  .description("a script that completes commands, runs, questions and pipelines in your shell")
  .addArgument(new Argument("<shell>", "which one").choices(["bash", "zsh", "fish"]))
  .action(async (shell) => finish((await import("../commands/completion.ts")).completion(call(), shell)));
