import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../node/digest.ts";
import { makeFolder } from "../project/make-folder.ts";
import type { RepositoryPlaces } from "../project/repository.ts";

/**
 * - `none`: there is no configuration yet.
 * - `unfinished`: `init` wrote it without a check that could not run then, and nobody has changed it since.
 * - `kept`: somebody's own, which `init` never writes over.
 */
export type ConfigStanding = "none" | "unfinished" | "kept";

export async function configStanding(places: RepositoryPlaces): Promise<ConfigStanding> {
  const text = await textOf(places.config);
  if (text === undefined) return "none";
  return sha256(text) === (await textOf(markOf(places))) ? "unfinished" : "kept";
}

type Written = { readonly text: string; readonly lacks: boolean };

/** `lacks`: without a check that was found. Never over a file that somebody wrote or changed meanwhile. */
export async function writeConfig(places: RepositoryPlaces, { text, lacks }: Written): Promise<void> {
  await makeFolder(places.own);
  const replaces = (await configStanding(places)) === "unfinished";
  await writeFile(places.config, text, { flag: replaces ? "w" : "wx" });
  if (lacks) await writeFile(markOf(places), sha256(text));
  else await rm(markOf(places), { force: true });
}

/** Whether it still says of a check that `init` could not run it. */
export async function saysUnfit(places: RepositoryPlaces, sign: string): Promise<boolean> {
  return (await textOf(places.config))?.includes(sign) ?? false;
}

const markOf = ({ own }: RepositoryPlaces): string => join(own, "unfinished-init");

const textOf = (file: string): Promise<string | undefined> => readFile(file, "utf8").catch(() => undefined);
