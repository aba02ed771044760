import { ANSWERS } from "./answers.ts";
import { BYTES } from "./bytes.ts";
import { ENDS } from "./ends.ts";
import { HANGS } from "./hangs.ts";
import type { Group, Misbehavior } from "./misbehavior.ts";
import { TRACES } from "./traces.ts";

export const GROUPS: readonly Group[] = [
  { title: "It does not end", list: HANGS },
  { title: "Its end contradicts its report", list: ENDS },
  { title: "Its output is too long, or binary", list: BYTES },
  { title: "Its answer is false", list: ANSWERS },
  { title: "It leaves something behind", list: TRACES },
];

export const MISBEHAVIORS: readonly Misbehavior[] = GROUPS.flatMap(({ list }) => list);
