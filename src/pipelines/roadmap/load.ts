import type { End } from "../../core/end.ts";
import type { Verbs } from "../../core/verbs.ts";
import { type Roadmap, readRoadmap } from "./roadmap.ts";

export type Loaded =
  | { readonly ok: true; readonly roadmap: Roadmap; readonly hash: string }
  | { readonly ok: false; readonly errors: readonly string[] };

/** The file as it is in the checkout at this moment, with whatever a person has changed in it. */
export async function load({ see, input }: Pick<Verbs<{ file: string }>, "see" | "input">): Promise<Loaded> {
  const seen = await see("file", { path: input.file });
  if (!seen) return { ok: false, errors: ["expected a file with the roadmap's items, found none"] };
  const read = readRoadmap(seen.text);
  return read.ok ? { ...read, hash: seen.hash } : read;
}

/** Nothing was dispatched and nothing written: a person corrects the file and runs again. */
export function refusal(file: string, errors: readonly string[]): End {
  const told = errors.map((error) => `${file}: ${error}`);
  return { status: "blocked", reason: told.join("; "), report: { file, errors: [...errors] } };
}
