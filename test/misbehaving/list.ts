import { ANSWERS } from "./answers.ts";
import { BYTES } from "./bytes.ts";
import { ENDS } from "./ends.ts";
import { HANGS } from "./hangs.ts";
import type { Group, Misbehavior } from "./misbehavior.ts";
import { TRACES } from "./traces.ts";

export const GROUPS: readonly Group[] = [
  { title: "It does not end", list: HANGS },
  { title: "Its end is not what it says", list: ENDS },
  { title: "What it prints is too much, or no text", list: BYTES },
  { title: "What it says is not true", list: ANSWERS },
  { title: "It leaves something behind", list: TRACES },
];

export const MISBEHAVIORS: readonly Misbehavior[] = GROUPS.flatMap(({ list }) => list);
