import { createCurrentCall, program, setExitCode } from "../program.ts";

// Answer open questions.

program.commandsGroup("Decide");

program
  .command("inbox [id]")
  .description("list open questions, or show one in full")
  .action(async (id) => setExitCode((await import("../commands/inbox.ts")).showInbox(createCurrentCall(), id)));

program
  .command("approve <id>")
  .description("answer a question (default: its first choice)")
  .option("--choose <choice>", "answer with this choice")
  .option("--note <text>", "add a note for the agents that continue")
  .option("--resume", "continue the run now, in this terminal")
  .option("--detach", "continue the run now, in the background")
  .action(async (id, flags) =>
    setExitCode((await import("../commands/decide.ts")).approve(createCurrentCall(), id, flags)),
  );

program
  .command("reject <id>")
  .description("answer a question with the choice that stops")
  .option("--note <text>", "reason; requests changes if the question allows it")
  .option("--resume", "continue the run now, in this terminal")
  .option("--detach", "continue the run now, in the background")
  .action(async (id, flags) =>
    setExitCode((await import("../commands/decide.ts")).reject(createCurrentCall(), id, flags)),
  );
