import type { Argument, Command, Option } from "commander";

/** Position of the cursor in a command line. */
export type CursorPosition = {
  /** Innermost command typed so far, such as `pipelines show`. */
  readonly command: Command;
  /** The word being typed. */
  readonly word: string;
  /** Option that still needs its value. */
  readonly option?: Option;
  /** Argument at this position. */
  readonly argument?: Argument;
  /** Arguments before this position. */
  readonly operands: readonly string[];
  /** Values of preceding options, by long or short name. */
  readonly values: ReadonlyMap<string, string>;
};

/** Parses the words as the program would, ignoring unknown ones. */
export function parsePosition(program: Command, words: readonly string[]): CursorPosition {
  const word = words.at(-1) ?? "";
  const read: ParseState = { command: program, option: undefined, isPlain: false, operands: [], values: new Map() };
  for (const each of words.slice(0, -1)) readWord(read, program, each);
  const { command, operands, values, isPlain } = read;
  const option = read.option ?? (isPlain ? undefined : findBegunOption([command, program], word));
  const argument = command.registeredArguments[operands.length];
  return { command, word, operands, values, ...(option ? { option } : {}), ...(argument ? { argument } : {}) };
}

type ParseState = {
  command: Command;
  option: Option | undefined;
  /** After `--` nothing is an option. */
  isPlain: boolean;
  readonly operands: string[];
  readonly values: Map<string, string>;
};

function readWord(read: ParseState, program: Command, word: string): void {
  const { option, isPlain, command, operands, values } = read;
  if (option) {
    values.set(getOptionName(option), word);
    read.option = undefined;
    return;
  }
  if (!isPlain && word === "--") read.isPlain = true;
  else if (!isPlain && word.startsWith("-")) read.option = findValuedOption([command, program], word, values);
  else {
    const below = operands.length === 0 ? command.commands.find((known) => known.name() === word) : undefined;
    if (below) read.command = below;
    else operands.push(word);
  }
}

export const getOptionName = (option: Option): string => option.long ?? option.short ?? "";

/** Returns the option if its value is the next word: `--agent x`, but not `--agent=x`. */
function findValuedOption(commands: readonly Command[], word: string, values: Map<string, string>): Option | undefined {
  const [flag = "", ...rest] = word.split("=");
  const option = findOption(commands, flag);
  if (!option || !(option.required || option.optional)) return undefined;
  if (rest.length === 0) return option;
  values.set(getOptionName(option), rest.join("="));
  return undefined;
}

function findBegunOption(commands: readonly Command[], word: string): Option | undefined {
  const at = word.indexOf("=");
  const option = word.startsWith("--") && at > 0 ? findOption(commands, word.slice(0, at)) : undefined;
  return option?.required ? option : undefined;
}

function findOption(commands: readonly Command[], flag: string): Option | undefined {
  return commands.flatMap(({ options }) => options).find(({ long, short }) => long === flag || short === flag);
}
