import type { CheckOptions } from "../../../core/authoring/verbs.ts";
import type { Tasks } from "../contracts.ts";
import { type Commands, findApprovedName } from "../preparing/commands.ts";

type Policy = Pick<Tasks, "validation_policy">;
type ChosenChecks = Pick<CheckOptions, "commands"> & { readonly cwd?: string };

/**
 * Returns the checks of a group: the policy's commands and folder, otherwise the ticket's. A plan chooses among
 * approved commands and cannot add its own.
 * @rule T-46 (policy) Group validation prefers `validation_policy` (working_directory, build and test command) over the
 *   ticket's defaults, within the approved commands.
 */
export function selectGroupChecks(
  commands: Commands,
  { validation_policy: policy }: Policy,
  group: string,
): ChosenChecks {
  const own = { ...policy, ...policy.groups[group] };
  const choose = (said: string | undefined, usual: string | undefined) =>
    (said === undefined ? undefined : findApprovedName(commands, said)) ?? usual;
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

/** A group's own build or test command replaces the ticket's; all others, such as a linter, always run. */
function isReplaced(name: string, { commands, build, test }: ChosenPair): boolean {
  return (name === commands.build && build !== name) || (name === commands.test && test !== name);
}

/** Returns commands in the plan that nobody approved. */
export function listRefusedCommands(commands: Commands, { validation_policy: policy }: Policy): string[] {
  const said = [policy, ...Object.values(policy.groups)].flatMap((each) => [each.build_command, each.test_command]);
  return [...new Set(said.filter((line) => line !== undefined))].filter(
    (line) => findApprovedName(commands, line) === undefined,
  );
}
