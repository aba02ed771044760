import { findCheckTool } from "./check-tool.ts";
import { isAlwaysSuccessful, isIdle, type ShellSegment, splitSegments } from "./shell-line.ts";

/** Check program that a shell text starts, with whether its result counts. */
export type CheckCall = {
  readonly tool: string;
  readonly kind: string;
  /** Its failure does not affect the final exit code. */
  readonly ignored: boolean;
  /** Options that exclude tests or accept an empty result. */
  readonly flags: readonly string[];
};

export function listCheckCalls(text: string): readonly CheckCall[] {
  return listAllCalls(text).filter((call) => call.kind !== "other");
}

/** Includes unknown programs: inside a test script every program is a check. */
export function listAllCalls(text: string): readonly CheckCall[] {
  const segments = splitSegments(text);
  const careless = segments.some(({ words }) => words[0] === "set" && words[1] === "+e") || isAlwaysGreen(segments);
  return segments.flatMap((segment, index) => {
    if (isIdle(segment)) return [];
    const tool = findCheckTool(segment.words) ?? { tool: segment.words.slice(0, 2).join(" "), kind: "other" };
    const next = segments[index + 1];
    const hidden = next !== undefined && HIDES.has(segment.operator ?? "") && isHidingFailure(next);
    return [{ ...tool, ignored: careless || hidden, flags: listWeakeningFlags(segment.words) }];
  });
}

/** Reads recipe lines of make and tox: a leading dash ignores the result. */
export function listRecipeCalls(lines: readonly string[]): readonly CheckCall[] {
  return lines.flatMap((line) => {
    const prefix = /^[@+ -]*/.exec(line)?.[0] ?? "";
    const calls = listAllCalls(line.slice(prefix.length));
    return prefix.includes("-") ? calls.map((call) => ({ ...call, ignored: true })) : calls;
  });
}

function isHidingFailure(next: ShellSegment): boolean {
  return isAlwaysSuccessful(next) || next.words[0] === "cat";
}

const HIDES: ReadonlySet<string> = new Set(["||", "|"]);

/** `…; exit 0`: the line always succeeds. */
function isAlwaysGreen(segments: readonly ShellSegment[]): boolean {
  const last = segments.at(-1);
  const before = segments.at(-2);
  return last !== undefined && before?.operator === ";" && isAlwaysSuccessful(last);
}

const WEAK_FLAGS = [
  "--passWithNoTests",
  "--pass-with-no-tests",
  "--testNamePattern",
  "--testPathIgnorePatterns",
  "--exclude",
  "--ignore",
  "--ignore-glob",
  "--deselect",
  "--skip",
  "-skip",
  "-k",
  "-t",
  "-run",
  "--grep",
  "-g",
  "--no-run",
  "--exit-zero",
  "--updateSnapshot",
  "--update-snapshots",
  "--update",
  "-u",
  "-DskipTests",
  "-Dmaven.test.skip",
  "-x",
  "--if-present",
];

function listWeakeningFlags(words: readonly string[]): readonly string[] {
  const given = words.map((word) => word.split("=", 1)[0] ?? "");
  return WEAK_FLAGS.filter((flag) => given.includes(flag));
}

/** Explains how the checks in `after` prove less than those in `before`; undefined if they do not. */
export function findWeakerCall(before: readonly CheckCall[], after: readonly CheckCall[]): string | undefined {
  const [then, now] = [groupByTool(before.filter(isCounting)), groupByTool(after.filter(isCounting))];
  for (const [tool, calls] of then) {
    const same = now.get(tool);
    const what = same
      ? findNewFlag(calls, same)
      : findLostTool(calls[0], { then, now, ignored: groupByTool(after).has(tool) });
    if (what) return `${same ? `${tool} runs with ` : ""}${what}`;
  }
  return undefined;
}

function isCounting(call: CheckCall): boolean {
  return !call.ignored;
}

type Calls = ReadonlyMap<string, readonly CheckCall[]>;

function groupByTool(calls: readonly CheckCall[]): Calls {
  return Map.groupBy(calls, (call) => call.tool);
}

/** Finds a new option that every call has. An additional call beside a complete one removes nothing. */
function findNewFlag(before: readonly CheckCall[], after: readonly CheckCall[]): string | undefined {
  const known = new Set(before.flatMap((call) => call.flags));
  return after[0]?.flags.find((flag) => !known.has(flag) && after.every((call) => call.flags.includes(flag)));
}

type CallSides = { readonly then: Calls; readonly now: Calls; readonly ignored: boolean };

function findLostTool(call: CheckCall | undefined, { then, now, ignored }: CallSides): string | undefined {
  if (!call) return undefined;
  if (ignored) return `the result of ${call.tool} is ignored`;
  // Another program of the same kind replaced it: a migration, not a loss.
  const replaced = [...now].some(([tool, [each]]) => each?.kind === call.kind && !then.has(tool));
  return call.kind === "other" || replaced ? undefined : `${call.tool} no longer runs`;
}
