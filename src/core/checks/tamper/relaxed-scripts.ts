import { z } from "zod";
import type { Finding } from "../../authoring/finding.ts";
import { parseMakeTargets } from "../detect/make-targets.ts";
import { findWeakerCall, listAllCalls, listRecipeCalls } from "./check-call.ts";
import { isNoOp } from "./shell-line.ts";
import { createTamperFinding, type TextChange } from "./text-change.ts";

/** Scripts and targets that run checks. */
const CHECKS =
  /^(?:pre|post)?(?:test|build|lint|type-?check|check|ci|verify|coverage|unit|integration|e2e)s?(?:$|[:_.-])/;

/** Finds package.json scripts that prove less than before. */
export function findRelaxedPackage({ path, status, before, after }: TextChange): readonly Finding[] {
  const [then, now] = [parsePackageScripts(before), parsePackageScripts(after)];
  // Too long, a link or not text: unreadable files do not count as unchanged.
  if (then && status === "modified" && after === undefined) return [createTamperFinding(path, "can no longer be read")];
  if (!then || !now) return [];
  return [...then].flatMap(([name, script]) => {
    if (!CHECKS.test(name) || isNoOp(script)) return [];
    const what = explainWeakerScript(script, now.get(name), [...now.values()]);
    return what ? [createTamperFinding(path, `relaxes the script "${name}": ${what}`)] : [];
  });
}

function explainWeakerScript(before: string, after: string | undefined, all: readonly string[]): string | undefined {
  // The same line under another name is a rename.
  if (after === undefined) return all.includes(before) ? undefined : "it is gone";
  return isNoOp(after) ? "it runs nothing any more" : findWeakerCall(listAllCalls(before), listAllCalls(after));
}

const Scripts = z.object({ scripts: z.record(z.string(), z.string()).optional() });

function parsePackageScripts(text: string | undefined): ReadonlyMap<string, string> | undefined {
  try {
    const scripts = Scripts.safeParse(JSON.parse(text ?? "")).data;
    return scripts && new Map(Object.entries(scripts.scripts ?? {}));
  } catch {
    return undefined;
  }
}

/** Finds Makefile targets that prove less than before. */
export function findRelaxedMake({ path, before, after }: TextChange): readonly Finding[] {
  const now = parseMakeTargets(after ?? "");
  return [...parseMakeTargets(before ?? "")].flatMap(([name, target]) => {
    if (!CHECKS.test(name)) return [];
    const what = explainWeakerTarget(target, now.get(name));
    return what ? [createTamperFinding(path, `relaxes the target "${name}": ${what}`)] : [];
  });
}

type RecipeTarget = { readonly needs: readonly string[]; readonly recipe: readonly string[] };

function explainWeakerTarget(before: RecipeTarget, after: RecipeTarget | undefined): string | undefined {
  if (!after) return "it is gone";
  const needed = before.needs.find((name) => CHECKS.test(name) && !after.needs.includes(name));
  const [then, now] = [listRecipeCalls(before.recipe), listRecipeCalls(after.recipe)];
  const delegates = after.needs.length > before.needs.length;
  // Its work may have moved into a target that it now depends on.
  if (!delegates && then.length > 0 && now.length === 0) return "it runs nothing any more";
  if (needed !== undefined && now.length <= then.length && !delegates) return `it no longer needs ${needed}`;
  return delegates && now.length === 0 ? undefined : findWeakerCall(then, now);
}

/** Finds tox environments that prove less than before. */
export function findRelaxedTox({ path, before, after }: TextChange): readonly Finding[] {
  const what = findWeakerCall(listRecipeCalls(listToxLines(before ?? "")), listRecipeCalls(listToxLines(after ?? "")));
  return what ? [createTamperFinding(path, `relaxes its commands: ${what}`)] : [];
}

function listToxLines(text: string): readonly string[] {
  let inside = false;
  return text.split("\n").flatMap((line) => {
    const [, first] = /^commands\w*\s?=(.*)$/.exec(line) ?? [];
    inside = first !== undefined || (inside && /^\s/.test(line));
    return inside && !line.trim().startsWith("#") ? [(first ?? line).trim()] : [];
  });
}
