import { type DriverDescriptor, defineDriver } from "../descriptor.ts";

/** Not usable by itself: the `argv` of a role's entry makes it a program. */
export const COMMAND = defineDriver({ ...createCommandDescriptor([]), ofArgv: createCommandDescriptor });

export function createCommandDescriptor(argv: readonly string[]): DriverDescriptor {
  const [program = ""] = argv;
  return {
    name: "command",
    title: argv.join(" "),
    program,
    words: argv,
    async create({ limits }) {
      const { createCommandDriver } = await import("./command-driver.ts");
      return createCommandDriver({ name: program, argv, limits });
    },
  };
}
