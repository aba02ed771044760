import type { Command } from "commander";
import { type CursorPosition, getOptionName } from "./cursor-position.ts";
import type { Completion, RepositoryNames } from "./repository-names.ts";

/** Lists completions for a position, in the order in which they are offered. */
export async function listCompletions(
  place: CursorPosition,
  { program, known }: { readonly program: Command; readonly known: RepositoryNames },
) {
  const { word, option } = place;
  if (option) {
    const flag = `${getOptionName(option)}=`;
    const prefix = word.startsWith(flag) ? flag : "";
    const values = await completeValues({ ...place, word: word.slice(prefix.length) }, known);
    return filterByPrefix(
      values.map((each) => ({ ...each, value: `${prefix}${each.value}` })),
      word,
    );
  }
  if (word.startsWith("-")) return filterByPrefix(completeOptions(place.command, program), word);
  return filterByPrefix([...completeCommands(place), ...(await completeArguments(place, known))], word);
}

function filterByPrefix(all: readonly Completion[], word: string): readonly Completion[] {
  return all.filter(({ value }) => value.startsWith(word));
}

const toCompletions = (values: readonly string[]): readonly Completion[] =>
  values.map((value) => ({ value, about: "" }));

function completeOptions(command: Command, program: Command): readonly Completion[] {
  const options = [...new Set([...command.options, ...program.options])].filter(({ hidden }) => !hidden);
  return [
    ...options.map((option) => ({ value: getOptionName(option), about: option.description })),
    { value: "--help", about: "show help" },
  ];
}

function completeCommands({ command, operands }: CursorPosition): readonly Completion[] {
  if (operands.length > 0) return [];
  const shown = command.createHelp().visibleCommands(command);
  return shown.map((each) => ({ value: each.name(), about: each.description() }));
}

/** Completes arguments by the names they have in the command definitions. */
async function completeArguments(
  { command, argument }: CursorPosition,
  known: RepositoryNames,
): Promise<readonly Completion[]> {
  if (!argument) return [];
  if (argument.argChoices) return toCompletions(argument.argChoices);
  const name = argument.name();
  if (name === "run") return known.runs();
  if (name === "id") return known.questions();
  const isPipeline = name === "pipeline" || (name === "name" && command.parent?.name() === "pipelines");
  return isPipeline && command.name() !== "new" ? known.pipelines() : [];
}

async function completeValues(place: CursorPosition, known: RepositoryNames): Promise<readonly Completion[]> {
  const { option, command, operands, word } = place;
  if (option?.argChoices) return toCompletions(option.argChoices);
  const name = option ? getOptionName(option) : "";
  if (name === "--run") return known.runs();
  if (name === "--pipeline") return known.pipelines();
  if (name === "--choose") return operands[0] === undefined ? [] : known.choices(operands[0]);
  if (name === "--reporter") return toCompletions(REPORTERS);
  if (name === "--agent") return completeAgents(await findPipeline(place, known), word, known);
  if (name !== "--from") return [];
  return command.name() === "new" ? known.pipelines() : completePhases(word, known);
}

/** Reporter names. Repeated here because loading the reporters at every key press would be slow. */
export const REPORTERS = ["html", "md", "json", "junit", "sarif", "github"] as const;

/** Completes the run first, then one of the phases it reached. */
async function completePhases(word: string, known: RepositoryNames): Promise<readonly Completion[]> {
  const at = word.indexOf(":");
  if (at < 0) return (await known.runs()).map((each) => ({ ...each, value: `${each.value}:` }));
  const run = word.slice(0, at);
  return (await known.phases(run)).map((each) => ({ ...each, value: `${run}:${each.value}` }));
}

async function findPipeline(
  { command, operands }: CursorPosition,
  known: RepositoryNames,
): Promise<string | undefined> {
  return command.name() === "resume" ? known.pipelineOf(operands[0]) : operands[0];
}

/** Completes the role first, then its driver. */
async function completeAgents(
  pipeline: string | undefined,
  word: string,
  known: RepositoryNames,
): Promise<readonly Completion[]> {
  const at = word.indexOf("=");
  if (at >= 0) {
    const { DRIVERS } = await import("../../drivers/index.ts");
    return DRIVERS.map(({ name }) => ({ value: `${word.slice(0, at)}=${name}`, about: "" }));
  }
  const roles = pipeline === undefined ? [] : await known.roles(pipeline);
  return [{ value: "*", about: "all roles" }, ...roles].map((each) => ({ ...each, value: `${each.value}=` }));
}
