import type { Argument, Command, Option } from "commander";

/** Where in a command line the cursor stands. */
export type Place = {
  /** As it is typed, without the program: `pipelines show`. */
  readonly command: Command;
  /** What is being typed. */
  readonly word: string;
  /** The option that waits for its value. */
  readonly option?: Option;
  /** The argument that comes here. */
  readonly argument?: Argument;
  /** The arguments before it. */
  readonly operands: readonly string[];
  /** Values of options before it, by their long or short name. */
  readonly values: ReadonlyMap<string, string>;
};

/** Reads the words as the program itself would; what it does not know is passed over. */
export function placeOf(program: Command, words: readonly string[]): Place {
  const word = words.at(-1) ?? "";
  const read: Reading = { command: program, option: undefined, isPlain: false, operands: [], values: new Map() };
  for (const each of words.slice(0, -1)) readWord(read, program, each);
  const { command, operands, values, isPlain } = read;
  const option = read.option ?? (isPlain ? undefined : begunOption([command, program], word));
  const argument = command.registeredArguments[operands.length];
  return { command, word, operands, values, ...(option ? { option } : {}), ...(argument ? { argument } : {}) };
}

type Reading = {
  command: Command;
  option: Option | undefined;
  /** Behind `--` nothing is an option. */
  isPlain: boolean;
  readonly operands: string[];
  readonly values: Map<string, string>;
};

function readWord(read: Reading, program: Command, word: string): void {
  const { option, isPlain, command, operands, values } = read;
  if (option) {
    values.set(nameOf(option), word);
    read.option = undefined;
    return;
  }
  if (!isPlain && word === "--") read.isPlain = true;
  else if (!isPlain && word.startsWith("-")) read.option = valuedOption([command, program], word, values);
  else {
    const below = operands.length === 0 ? command.commands.find((known) => known.name() === word) : undefined;
    if (below) read.command = below;
    else operands.push(word);
  }
}

export const nameOf = (option: Option): string => option.long ?? option.short ?? "";

/** `--agent x` waits for its value, `--agent=x` has it already. */
function valuedOption(commands: readonly Command[], word: string, values: Map<string, string>): Option | undefined {
  const [flag = "", ...rest] = word.split("=");
  const option = optionNamed(commands, flag);
  if (!option || !(option.required || option.optional)) return undefined;
  if (rest.length === 0) return option;
  values.set(nameOf(option), rest.join("="));
  return undefined;
}

function begunOption(commands: readonly Command[], word: string): Option | undefined {
  const at = word.indexOf("=");
  const option = word.startsWith("--") && at > 0 ? optionNamed(commands, word.slice(0, at)) : undefined;
  return option?.required ? option : undefined;
}

function optionNamed(commands: readonly Command[], flag: string): Option | undefined {
  return commands.flatMap(({ options }) => options).find(({ long, short }) => long === flag || short === flag);
}
