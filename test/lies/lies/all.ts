import type { Lie } from "../entry.ts";
import { around, promises } from "./around.ts";
import { commands } from "./commands.ts";
import { compiled } from "./compiled.ts";
import { claimed, edited } from "./edited.ts";
import { far } from "./far.ts";
import { forged } from "./forged.ts";
import { halves } from "./halves.ts";
import { hollow } from "./hollow.ts";
import { idle } from "./idle.ts";
import { hiddenQuestions, mixedRequests, twoRuns } from "./insider.ts";
import { found, packages } from "./loaded.ts";
import { lostAssertions } from "./lost-assertions.ts";
import { mocked, specialCases } from "./mocked.ts";
import { moved } from "./moved.ts";
import { options } from "./options.ts";
import { productActs } from "./product-acts.ts";
import { beyond, settings } from "./reach.ts";
import { plainLies, redBefore, swaying } from "./red.ts";
import { redCompiled } from "./red-compiled.ts";
import { removed } from "./removed.ts";
import { replacedJudges } from "./replaced-judges.ts";
import { announced, hidden } from "./repository.ts";
import { repositoryTricks, rewrittenSnapshots } from "./repository-tricks.ts";
import { rewritten } from "./rewritten.ts";
import { runConditions } from "./run-conditions.ts";
import { skipped } from "./skipped.ts";
import { starts } from "./starts.ts";
import { steps } from "./steps.ts";
import { tidied } from "./tidied.ts";
import { toolchains } from "./toolchains.ts";
import { unsteady } from "./unsteady.ts";
import { weakenedSettings } from "./weakened-settings.ts";

export const lies: readonly Lie[] = [
  ...plainLies,
  ...removed,
  ...skipped,
  ...hollow,
  ...rewritten,
  ...mocked,
  ...specialCases,
  ...forged,
  ...commands,
  ...moved,
  ...settings,
  ...beyond,
  ...idle,
  ...redBefore,
  ...edited,
  ...claimed,
  ...swaying,
  ...announced,
  ...hidden,
  ...steps,
  ...starts,
  ...found,
  ...packages,
  ...compiled,
  ...options,
  ...unsteady,
  ...halves,
  ...far,
  ...around,
  ...promises,
  ...tidied,
  ...replacedJudges,
  ...redCompiled,
  ...weakenedSettings,
  ...toolchains,
  ...lostAssertions,
  ...productActs,
  ...runConditions,
  ...repositoryTricks,
  ...rewrittenSnapshots,
  ...twoRuns,
  ...hiddenQuestions,
  ...mixedRequests,
];
