import type { Evidence } from "../../../core/authoring/verbs.ts";
import type { Command } from "../../../core/journal/effect.ts";
import type { StepPlace } from "../../replay/step.ts";
import type { Run } from "../../run.ts";
import { askPerson } from "../ask.ts";
import { type JudgedCheck, judgeRuns } from "../check-outcome.ts";
import { type CommandRuns, hasRun, repeatRuns } from "../check-runs.ts";

type TreeChecks = {
  readonly tree: string;
  readonly commands: readonly Command[];
  readonly before: CommandRuns;
  readonly after: CommandRuns;
};
type RepeatedChecks = { readonly after: CommandRuns; readonly again?: Evidence["again"] };

/** Outcomes that count against a tree: red by the work, or never run. */
export const FAILED: ReadonlySet<string> = new Set(["failed", "regression", "not-run"]);

/** Lists the commands that had an outcome on a tree before it is checked again. */
export const listSeenCommands = (run: Run, at: Pick<TreeChecks, "tree" | "commands">): readonly Command[] =>
  at.commands.filter((command) => hasRun(run, at.tree, command));

/**
 * Asks a person whether red checks run once more when work comes back unchanged. Otherwise a red tree stays red and is
 * not run until it happens to pass. Earlier runs stay next to the new one, so a later pass counts as flaky.
 */
export async function askForRepeat(
  run: Run,
  place: StepPlace,
  { known, ...at }: TreeChecks & { readonly known: readonly Command[] },
): Promise<RepeatedChecks> {
  const { tree, commands, before, after } = at;
  const red = known.map(({ name }) => judgeRuns(name, before.get(name), after.get(name))).filter(isRed);
  const alone = run.started.approvals === "autonomous";
  if (red.length === 0 || alone || tree === run.started.base.tree || run.state.kept.has(tree)) return { after };
  const { choice, by, note } = await askPerson(run, place, createRepeatQuestion(red));
  const again = { by: note === undefined ? by : `${by}: ${note}`, ran: choice === AGAIN || choice === FORMERLY };
  if (!again.ran) return { after, again };
  const wanted = known.filter(({ name }) => red.some(({ check }) => check.name === name));
  return { after: await repeatRuns(run, place, { tree, commands, wanted }), again };
}

const isRed = ({ check }: JudgedCheck): boolean => FAILED.has(check.outcome);

const AGAIN = "run the checks again";
const BACK = "send the work back";
/** The first choice in journals of earlier versions. */
const FORMERLY = "run again";

function createRepeatQuestion(red: readonly JudgedCheck[]) {
  const names = red.map(({ check }) => check.name).join(", ");
  const [runs, fails] = red.length > 1 ? ["run", "fail"] : ["runs", "fails"];
  return {
    title: `The agent returned the same files on which ${names} failed before: run ${names} again?`,
    show: { found: red.flatMap(({ findings }) => findings) },
    choices: [AGAIN, BACK],
    leads: {
      [AGAIN]: `${names} ${runs} once more on the same files. If ${names} ${fails} again, the failure stands; a pass counts as flaky, and you decide before the commit`,
      [BACK]: `the failure of ${names} stands, and the pipeline continues as after any failed check. The next agent reads your note. You are not asked about these files again`,
    },
    revises: BACK,
    auto: BACK,
  };
}
