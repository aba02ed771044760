import type { CheckOptions } from "../../../core/authoring/verbs.ts";
import type { Tasks } from "../contracts.ts";
import { approvedName, type Commands } from "../preparing/commands.ts";

type Policy = Pick<Tasks, "validation_policy">;
type ChosenChecks = Pick<CheckOptions, "commands"> & { readonly cwd?: string };

/**
 * What validates a group: the policy's own build and test command and folder, the ticket's where it names none. A plan
 * chooses among lines that a person has agreed to; it cannot bring its own.
 * @rule T-46 (policy) A group's own commands and folder come first, chosen among those that a person agreed to.
 */
export function checksFor(commands: Commands, { validation_policy: policy }: Policy, group: string): ChosenChecks {
  const own = { ...policy, ...policy.groups[group] };
  const choose = (said: string | undefined, usual: string | undefined) =>
    (said === undefined ? undefined : approvedName(commands, said)) ?? usual;
  const build = choose(own.build_command, commands.build);
  const test = choose(own.test_command, commands.test);
  const others = Object.keys(commands.approved).filter((name) => !isReplaced(name, { commands, build, test }));
  const names = [build, test, ...others].filter((name) => name !== undefined);
  return {
    commands: [...new Set(names)],
    ...(own.working_directory === undefined ? {} : { cwd: own.working_directory }),
  };
}

type ChosenPair = {
  readonly commands: Commands;
  readonly build: string | undefined;
  readonly test: string | undefined;
};

/** A group's own build or test comes in place of the ticket's; everything else, such as a linter, is run for all. */
function isReplaced(name: string, { commands, build, test }: ChosenPair): boolean {
  return (name === commands.build && build !== name) || (name === commands.test && test !== name);
}

/** Commands that a plan asks for and nobody has agreed to. */
export function refusedIn(commands: Commands, { validation_policy: policy }: Policy): string[] {
  const said = [policy, ...Object.values(policy.groups)].flatMap((each) => [each.build_command, each.test_command]);
  return [...new Set(said.filter((line) => line !== undefined))].filter(
    (line) => approvedName(commands, line) === undefined,
  );
}
