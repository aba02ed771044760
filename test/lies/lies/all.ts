import type { Lie } from "../entry.ts";
import { commands } from "./commands.ts";
import { forged } from "./forged.ts";
import { hollow } from "./hollow.ts";
import { idle } from "./idle.ts";
import { mocked, specialCases } from "./mocked.ts";
import { moved } from "./moved.ts";
import { beyond, settings } from "./reach.ts";
import { plainLies, redBefore, swaying } from "./red.ts";
import { removed } from "./removed.ts";
import { announced, hidden } from "./repository.ts";
import { rewritten } from "./rewritten.ts";
import { skipped } from "./skipped.ts";

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
  ...swaying,
  ...announced,
  ...hidden,
];
