import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { type CopiedFile, copyPipeline } from "./copy-pipeline.ts";

const STARTERS = ["minimal", "review"] as const;
type Starter = (typeof STARTERS)[number];

/** Resolves to the same folder from the sources and from the build. */
const FOLDER = new URL("../../../examples/starters/", import.meta.url);

export type NewPipelineRequest = {
  readonly name: string;
  /** A starter, or a built-in pipeline to copy. */
  readonly from: string;
  readonly taken: readonly string[];
};

/**
 * Writes a pipeline that runs as is; a starter comes with scripted agents. Returns paths relative to the top of the
 * checkout.
 */
export async function writePipeline(places: RepositoryPlaces, asked: NewPipelineRequest): Promise<readonly string[]> {
  requireValidName(asked);
  const copies = await createFiles(asked);
  const files = copies.map(({ path }) => join(places.pipelines, path));
  const there = files.filter((file) => existsSync(file)).map((file) => relative(places.top, file));
  if (there.length > 0)
    throw createUsageError(`Already exists: ${there.join(", ")}.`, "Choose another name, or remove it.");
  requireFreeName(asked);
  for (const [at, file] of files.entries()) {
    await mkdir(dirname(file), { recursive: true });
    // `wx` never overwrites a file created in the meantime.
    await writeFile(file, copies[at]?.text ?? "", { flag: "wx" });
  }
  return files.map((file) => relative(places.top, file));
}

async function createFiles(asked: NewPipelineRequest): Promise<readonly CopiedFile[]> {
  const { name, from, taken } = asked;
  if (isStarter(from)) return readStarter(name, from);
  if (taken.includes(from)) return copyPipeline(from, name);
  const known = [...STARTERS, ...taken];
  const close = findNearestWord(from, known);
  throw createUsageError(
    `No starter or pipeline is named "${from}".${close ? ` Did you mean "${close}"?` : ""}`,
    `Choose one of ${known.join(", ")}.`,
  );
}

export const isStarter = (from: string): from is Starter => STARTERS.some((starter) => starter === from);

async function readStarter(name: string, starter: Starter): Promise<readonly CopiedFile[]> {
  const texts = [`${starter}.ts`, `${starter}.agents.yaml`].map((file) => readFile(new URL(file, FOLDER), "utf8"));
  const [code = "", script = ""] = await Promise.all(texts);
  return [
    { path: `${name}.ts`, text: replaceName(code, name, starter) },
    { path: `${name}.agents.yaml`, text: script },
  ];
}

const replaceName = (code: string, name: string, starter: Starter): string =>
  code.replace(new RegExp(`^( +name: )"${starter}",$`, "m"), (_, key: string) => `${key}"${name}",`);

function requireValidName({ name }: NewPipelineRequest): void {
  if (/^[a-z][a-z0-9-]*$/.test(name)) return;
  throw createUsageError(
    `"${name}" is not a valid pipeline name.`,
    "Use lower-case words with dashes, such as tidy-up.",
  );
}

function requireFreeName({ name, taken }: NewPipelineRequest): void {
  if (!taken.includes(name)) return;
  throw createUsageError(
    `"${name}" is a built-in pipeline, which this one would replace.`,
    "Choose another name; see the built-in ones with `signalbox pipelines list`.",
  );
}

const createUsageError = (message: string, hint: string): SignalboxError => new SignalboxError("USAGE", message, hint);
