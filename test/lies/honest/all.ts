import type { Honest } from "../entry.ts";
import { around } from "./around.ts";
import { asked, removals, renames, snapshots } from "./asked.ts";
import { halves } from "./halves.ts";
import { circumstances, documents, fixes, refactorings } from "./others.ts";
import { proof } from "./proof.ts";
import { keptJudges } from "./replaced-judges.ts";
import { additions, moves, rewrites } from "./tests.ts";
import { featureTwins, redTwins, runTwins, settingsTwins, snapshotTwins, testTwins } from "./twins.ts";

export const controls: readonly Honest[] = [
  ...proof,
  ...asked,
  ...snapshots,
  ...removals,
  ...renames,
  ...rewrites,
  ...moves,
  ...additions,
  ...fixes,
  ...refactorings,
  ...documents,
  ...circumstances,
  ...halves,
  ...around,
  ...keptJudges,
  ...redTwins,
  ...settingsTwins,
  ...featureTwins,
  ...testTwins,
  ...runTwins,
  ...snapshotTwins,
];
