import type { Finding } from "../../authoring/finding.ts";
import { readYaml } from "../../text/outside-yaml.ts";
import { type CheckCall, findWeakerCall, listCheckCalls } from "./check-call.ts";
import { createTamperFinding, type TextChange } from "./text-change.ts";

const CI_FILES =
  /^(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.circleci\/config\.ya?ml|\.travis\.ya?ml|\.drone\.ya?ml|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml)$/;

export function isCi(path: string): boolean {
  return CI_FILES.test(path);
}

/** Finds CI configuration that proves less than before. All its files count together, so that jobs may move. */
export function findRelaxedCi(changes: readonly TextChange[]): readonly Finding[] {
  const files = changes.filter(({ path }) => isCi(path)).map(readWorkflow);
  const now = files.flatMap((file) => file.after.calls);
  return files.flatMap(({ path, before, after }) => {
    // Unreadable files do not count as unchanged.
    if (after.unreadable !== undefined && before.calls.length + before.events.length > 0)
      return [createTamperFinding(path, `cannot be judged: ${after.unreadable}`)];
    const lost = findWeakerCall(before.calls, now);
    const silent = before.events.find((event) => after.events.length > 0 && !after.events.includes(event));
    const what = lost ?? (silent && `it no longer runs on ${silent}`);
    return what ? [createTamperFinding(path, `relaxes continuous integration: ${what}`)] : [];
  });
}

type Workflow = {
  readonly calls: readonly CheckCall[];
  readonly events: readonly string[];
  /** Reason why it was not read. */
  readonly unreadable?: string;
};

function readWorkflow({ path, before, after }: TextChange): { path: string; before: Workflow; after: Workflow } {
  return { path, before: read(before), after: read(after) };
}

function read(text: string | undefined): Workflow {
  if (text === undefined) return NOTHING;
  const read = readYaml(text, { uniqueKeys: false });
  if (!read.ok) return { ...NOTHING, unreadable: read.problem };
  return { calls: listCallsBelow(read.value, { ignored: false, depth: 0 }), events: listEvents(read.value) };
}

const NOTHING: Workflow = { calls: [], events: [] };

const MOST_DEPTH = 30;
const COMMANDS: ReadonlySet<string> = new Set([
  "run",
  "script",
  "before_script",
  "after_script",
  "commands",
  "command",
]);

type CallContext = { readonly ignored: boolean; readonly depth: number };

/** Lists every command below this value; a parent that is disabled applies to all of them. */
function listCallsBelow(value: unknown, where: CallContext): readonly CheckCall[] {
  if (typeof value !== "object" || value === null || where.depth > MOST_DEPTH) return [];
  const below = { ignored: where.ignored || isSwitchedOff(value), depth: where.depth + 1 };
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    COMMANDS.has(key) ? listCommands(inner, below) : listCallsBelow(inner, below),
  );
}

function listCommands(value: unknown, where: CallContext): readonly CheckCall[] {
  if (typeof value === "string")
    return listCheckCalls(value).map((call) => ({ ...call, ignored: call.ignored || where.ignored }));
  if (!Array.isArray(value)) return listCallsBelow(value, where);
  return value.flatMap((each: unknown) =>
    typeof each === "string" ? listCommands(each, where) : listCallsBelow(each, where),
  );
}

const SWITCHES: Readonly<Record<string, readonly string[]>> = {
  "continue-on-error": ["true"],
  continueOnError: ["true"],
  allow_failure: ["true"],
  soft_fail: ["true"],
  failure: ["ignore"],
  when: ["never", "manual"],
  if: ["false"],
  enabled: ["false"],
};

function isSwitchedOff(value: object): boolean {
  // `if: ${{ false }}` and `if: false` are equal.
  return Object.entries(value).some(([key, inner]) =>
    SWITCHES[key]?.includes(String(inner).replaceAll(/[${}\s]/g, "")),
  );
}

/** Lists the events of a GitHub workflow that run it for a change. */
function listEvents(value: unknown): readonly string[] {
  const on = typeof value === "object" && value !== null && "on" in value ? value.on : undefined;
  const names = typeof on === "object" && on !== null && !Array.isArray(on) ? Object.keys(on) : [on].flat();
  return names.map(String).filter((name) => name === "push" || name === "pull_request");
}
