// Writes test/prompts/recorded: the prompts of every role of every pipeline.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { indexOf, pageOf } from "./page.ts";
import { allPrompts } from "./prompts.ts";

const FOLDER = resolve(import.meta.dirname, "recorded");
mkdirSync(FOLDER, { recursive: true });
const all = await allPrompts();
for (const each of all) writeFileSync(join(FOLDER, `${each.pipeline.name}.md`), pageOf(each));
writeFileSync(join(FOLDER, "README.md"), indexOf(all));
