import { cargo } from "./cargo.ts";
import { deno } from "./deno.ts";
import { dotnet } from "./dotnet.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { go } from "./go.ts";
import { gradle } from "./gradle.ts";
import { just } from "./just.ts";
import { make } from "./make.ts";
import { maven } from "./maven.ts";
import { node } from "./node/node.ts";
import { php } from "./php.ts";
import { python } from "./python/python.ts";
import { ruby } from "./ruby.ts";

/** Ordered: the first one that has a check of a name keeps it. To add an ecosystem, add a file and a name here. */
export const ECOSYSTEMS: readonly Ecosystem[] = [
  ...[node, deno, python, go, cargo, maven, gradle, dotnet, ruby, php],
  ...[just, make],
];
