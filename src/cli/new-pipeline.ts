import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { SignalboxError } from "../core/errors.ts";
import type { RepositoryPlaces } from "./repository.ts";

export const STARTERS = ["minimal", "review"] as const;
export type Starter = (typeof STARTERS)[number];

/** The same place from the sources and from what is built of them. */
const FOLDER = new URL("../../examples/starters/", import.meta.url);

export type NewPipeline = { readonly name: string; readonly starter: Starter; readonly taken: readonly string[] };

/** Writes a pipeline that runs at once, and the script of agents that it runs with. Paths from the top. */
export async function writeStarter(places: RepositoryPlaces, asked: NewPipeline): Promise<readonly string[]> {
  refuseText(asked);
  const files = [`${asked.name}.ts`, `${asked.name}.agents.yaml`].map((name) => join(places.pipelines, name));
  const there = files.filter((file) => existsSync(file)).map((file) => relative(places.top, file));
  if (there.length > 0) throw refuse(`${there.join(" and ")} is there already.`, "Choose another name, or remove it.");
  refuseTaken(asked);
  const [code, script] = await Promise.all(
    [`${asked.starter}.ts`, `${asked.starter}.agents.yaml`].map((name) => readFile(new URL(name, FOLDER), "utf8")),
  );
  await mkdir(places.pipelines, { recursive: true });
  const texts = [named(code ?? "", asked), script ?? ""];
  // `wx`: never over a file that somebody wrote meanwhile.
  for (const [at, file] of files.entries()) await writeFile(file, texts[at] ?? "", { flag: "wx" });
  return files.map((file) => relative(places.top, file));
}

const named = (code: string, { name, starter }: NewPipeline): string =>
  code.replace(new RegExp(`^( +name: )"${starter}",$`, "m"), (_, key: string) => `${key}"${name}",`);

function refuseText({ name }: NewPipeline): void {
  if (/^[a-z][a-z0-9-]*$/.test(name)) return;
  throw refuse(`"${name}" is no name for a pipeline.`, "Use lower-case words with dashes, such as tidy-up.");
}

function refuseTaken({ name, taken }: NewPipeline): void {
  if (!taken.includes(name)) return;
  throw refuse(
    `"${name}" is a built-in pipeline, and this one would take its place.`,
    "Choose another name; see the built-in ones with `signalbox pipelines list`.",
  );
}

const refuse = (message: string, hint: string): SignalboxError => new SignalboxError("USAGE", message, hint);
