import type { Role } from "../../../core/authoring/role.ts";
import { explainDropped } from "../../../core/checks/guard/explain-dropped.ts";
import type { AttemptRequest } from "../../../core/journal/effect.ts";
import type { Definition } from "../../../core/ports/definitions.ts";
import { isBuilding } from "./prompt-checks.ts";
import { formatDocumentsLine } from "./prompt-documents.ts";
import { escapeLineBreaks } from "./quote-text.ts";

type FilesRequest = {
  readonly definition: Definition;
  readonly role: Role<unknown, unknown, boolean>;
  readonly request: AttemptRequest;
  readonly variables?: Readonly<Record<string, string>> | undefined;
};

const NO_ORDERS =
  " Changes to agent instructions (AGENTS.md, CLAUDE.md, .claude/, .github/agents/ and the like) are not kept.";

/** Describes the agent's folder, what is taken from it, and what is there for it. */
export function formatFilesSection(parts: FilesRequest): string {
  const { role, request } = parts;
  const where = `# Your files\n\nThe working directory is a repository of your own.`;
  const more = [...formatBaseHint(request), ...formatDocumentsLine(request), ...dropped(request)];
  const told = more.length > 0 ? `\n\n${more.join("\n")}` : "";
  if (!role.writes) return `${where} Read whatever you need; nothing you change in it is kept.${told}`;
  return `${where} Leave your work in it as files; do not commit.${formatTakenPaths(request)}${told}${isBuilding(role, request) ? formatIsolationHint(parts) : ""}`;
}

/** Names the paths that are taken and those that are required, each once. */
function formatTakenPaths({ writes, delivers = [] }: AttemptRequest): string {
  const named = writes ? selectNamedPaths(writes).map(escapeLineBreaks) : [];
  const awaited = delivers.map(escapeLineBreaks);
  const beside = awaited.filter((path) => !named.includes(path));
  const due = named.filter((path) => awaited.includes(path));
  const all = due.length > 0 && due.length === named.length ? ", and must exist at the end" : "";
  const some = all === "" ? due : [];
  const missing = [...some, ...beside];
  const last = missing.length > 0 ? ` These files must exist at the end: ${missing.join(", ")}.` : "";
  return writes ? ` Only these paths are kept${all}: ${named.join(", ")}.${last}` : `${NO_ORDERS}${last}`;
}

/** If single files are named, exceptions from patterns have no meaning. */
function selectNamedPaths(writes: readonly string[]): readonly string[] {
  const named = writes.filter((path) => !path.startsWith("!"));
  return named.length > 0 && named.every((path) => !/[*?]/.test(path)) ? named : writes;
}

function formatBaseHint({ base, tree, unchanged }: AttemptRequest): readonly string[] {
  if (base === undefined || base === tree || unchanged) return [];
  return ["The tag `base` is the tree without the change: `git diff base` shows it."];
}

function dropped({ dropped = [] }: AttemptRequest): readonly string[] {
  return dropped.map(
    ({ by, paths, writes }) =>
      `Not taken of what ${escapeLineBreaks(by)} changed before: ${paths.map(escapeLineBreaks).join(", ")} (${explainDropped(writes?.map(escapeLineBreaks))}).`,
  );
}

/**
 * Names only variables that the environment has. An agent that is no child process of the engine gets them with the
 * dispatch.
 */
function formatIsolationHint({ definition, variables = {} }: FilesRequest): string {
  const { SIGNALBOX_NAME: name, SIGNALBOX_PORT_BASE: port } = variables;
  const words = [
    ...(port === undefined ? [] : ["use ports from $SIGNALBOX_PORT_BASE upward"]),
    ...(name === undefined ? [] : ["name databases and containers $SIGNALBOX_NAME"]),
  ];
  if (words.length === 0) return "";
  const where = definition.driver.outlives ? " The values are in `environment` of this dispatch." : "";
  return `\n\nOther agents may run at the same time: ${words.join(", and ")}.${where}`;
}
