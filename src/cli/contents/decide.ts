import { call, finish, program } from "../program.ts";

// Answer what a run asks.

program.commandsGroup("Decide");

program
  .command("inbox")
  .description("the questions that wait for a person")
  .action(async () => finish((await import("../commands/inbox.ts")).inbox(call())));

program
  .command("approve <id>")
  .description("answer a question; without --choose by its first choice")
  .option("--choose <choice>", "the choice")
  .option("--note <text>", "a note for whoever goes on")
  .action(async (id, flags) => finish((await import("../commands/decide.ts")).approve(call(), id, flags)));

program
  .command("reject <id>")
  .description("answer a question by the choice that stops")
  .option("--note <text>", "why")
  .action(async (id, flags) => finish((await import("../commands/decide.ts")).reject(call(), id, flags)));
