import { Argument } from "commander";
import {
  createAgentOption,
  createAgentsOption,
  createCurrentCall,
  createTrustOption,
  program,
  setExitCode,
} from "../program.ts";

// Pipelines, agents and settings.

program.commandsGroup("Author");

const pipelines = program.command("pipelines").description("list, show, check and create pipelines");

pipelines
  .command("list")
  .description("list the available pipelines")
  .addOption(createTrustOption())
  .action(async (flags) =>
    setExitCode((await import("../commands/pipelines.ts")).listPipelines(createCurrentCall(), flags)),
  );

pipelines
  .command("show <name>")
  .description("show phases, roles, gates, limits, input and files")
  .option("--rules", "also list every rule and where it is enforced")
  .addOption(createTrustOption())
  .action(async (name, flags) =>
    setExitCode((await import("../commands/pipelines.ts")).showPipeline(createCurrentCall(), name, flags)),
  );

pipelines
  .command("graph <name>")
  .description("print the phases as a Mermaid flowchart")
  .addOption(createTrustOption())
  .action(async (name, flags) =>
    setExitCode((await import("../commands/pipelines.ts")).printGraph(createCurrentCall(), name, flags)),
  );

pipelines
  .command("check [name]")
  .description("replay every finished run with the current code")
  .addOption(createTrustOption())
  .action(async (name, flags) =>
    setExitCode((await import("../commands/pipelines.ts")).checkPipelines(createCurrentCall(), name, flags)),
  );

pipelines
  .command("new <name>")
  .description("create a pipeline from a template")
  .option("--from <name>", "template: minimal, review, or a built-in pipeline to copy", "minimal")
  .action(async (name, flags) =>
    setExitCode((await import("../commands/pipelines.ts")).createPipeline(createCurrentCall(), name, flags)),
  );

const roles = program.command("agents").description("list and check the agents assigned to roles");

roles
  .command("list [pipeline]")
  .description("show each role's agent, prompt and model, and their sources")
  .addOption(createAgentsOption())
  .addOption(createAgentOption())
  .addOption(createTrustOption())
  .action(async (pipeline, flags) =>
    setExitCode((await import("../commands/agents.ts")).listAgents(createCurrentCall(), pipeline, flags)),
  );

roles
  .command("check [pipeline]")
  .description("check that every role has a usable agent; exit 4 if not")
  .addOption(createAgentsOption())
  .addOption(createAgentOption())
  .addOption(createTrustOption())
  .action(async (pipeline, flags) =>
    setExitCode((await import("../commands/agents.ts")).checkAgents(createCurrentCall(), pipeline, flags)),
  );

const config = program.command("config").description("show the effective settings");

config
  .command("get [key]")
  .description("print the value of one setting, or of all")
  .action(async (key) => setExitCode((await import("../commands/config.ts")).printConfig(createCurrentCall(), key)));

config
  .command("explain [key]")
  .description("show where each value comes from and what it overrides")
  .action(async (key) => setExitCode((await import("../commands/config.ts")).explainConfig(createCurrentCall(), key)));

program
  .command("mcp")
  .description("serve runs over the Model Context Protocol")
  .action(async () => setExitCode((await import("../commands/mcp.ts")).serveMcp(createCurrentCall())));

program
  .command("completion")
  .description("print a shell completion script")
  .addArgument(new Argument("<shell>", "shell to complete for").choices(["bash", "zsh", "fish"]))
  .action(async (shell) =>
    setExitCode((await import("../commands/completion.ts")).printCompletion(createCurrentCall(), shell)),
  );
