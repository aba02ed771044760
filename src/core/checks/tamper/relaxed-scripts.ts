import { z } from "zod";
import type { Finding } from "../../authoring/finding.ts";
import { makeTargets } from "../detect/make-targets.ts";
import { allCallsIn, callsInLines, weakerCalls } from "./check-call.ts";
import { isNoOp } from "./shell-line.ts";
import { type TextChange, tamperFinding } from "./text-change.ts";

/** Scripts and targets that run checks. */
const CHECKS =
  /^(?:pre|post)?(?:test|build|lint|type-?check|check|ci|verify|coverage|unit|integration|e2e)s?(?:$|[:_.-])/;

/** Finds package.json scripts that prove less than before. */
export function relaxedPackage({ path, status, before, after }: TextChange): readonly Finding[] {
  const [then, now] = [scriptsOf(before), scriptsOf(after)];
  // Too long, a link or not text: unreadable files do not count as unchanged.
  if (then && status === "modified" && after === undefined) return [tamperFinding(path, "can no longer be read")];
  if (!then || !now) return [];
  return [...then].flatMap(([name, script]) => {
    if (!CHECKS.test(name) || isNoOp(script)) return [];
    const what = weakerScript(script, now.get(name), [...now.values()]);
    return what ? [tamperFinding(path, `relaxes the script "${name}": ${what}`)] : [];
  });
}

function weakerScript(before: string, after: string | undefined, all: readonly string[]): string | undefined {
  // The same line under another name is a rename.
  if (after === undefined) return all.includes(before) ? undefined : "it is gone";
  return isNoOp(after) ? "it runs nothing any more" : weakerCalls(allCallsIn(before), allCallsIn(after));
}

const Scripts = z.object({ scripts: z.record(z.string(), z.string()).optional() });

function scriptsOf(text: string | undefined): ReadonlyMap<string, string> | undefined {
  try {
    const scripts = Scripts.safeParse(JSON.parse(text ?? "")).data;
    return scripts && new Map(Object.entries(scripts.scripts ?? {}));
  } catch {
    return undefined;
  }
}

/** Finds Makefile targets that prove less than before. */
export function relaxedMake({ path, before, after }: TextChange): readonly Finding[] {
  const now = makeTargets(after ?? "");
  return [...makeTargets(before ?? "")].flatMap(([name, target]) => {
    if (!CHECKS.test(name)) return [];
    const what = weakerTarget(target, now.get(name));
    return what ? [tamperFinding(path, `relaxes the target "${name}": ${what}`)] : [];
  });
}

type Target = { readonly needs: readonly string[]; readonly recipe: readonly string[] };

function weakerTarget(before: Target, after: Target | undefined): string | undefined {
  if (!after) return "it is gone";
  const needed = before.needs.find((name) => CHECKS.test(name) && !after.needs.includes(name));
  const [then, now] = [callsInLines(before.recipe), callsInLines(after.recipe)];
  const delegates = after.needs.length > before.needs.length;
  // Its work may have moved into a target that it now depends on.
  if (!delegates && then.length > 0 && now.length === 0) return "it runs nothing any more";
  if (needed !== undefined && now.length <= then.length && !delegates) return `it no longer needs ${needed}`;
  return delegates && now.length === 0 ? undefined : weakerCalls(then, now);
}

/** Finds tox environments that prove less than before. */
export function relaxedTox({ path, before, after }: TextChange): readonly Finding[] {
  const what = weakerCalls(callsInLines(toxLines(before ?? "")), callsInLines(toxLines(after ?? "")));
  return what ? [tamperFinding(path, `relaxes its commands: ${what}`)] : [];
}

function toxLines(text: string): readonly string[] {
  let inside = false;
  return text.split("\n").flatMap((line) => {
    const [, first] = /^commands\w*\s?=(.*)$/.exec(line) ?? [];
    inside = first !== undefined || (inside && /^\s/.test(line));
    return inside && !line.trim().startsWith("#") ? [(first ?? line).trim()] : [];
  });
}
