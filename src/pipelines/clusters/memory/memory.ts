import { removeFencedLines } from "../building/findings.ts";

/** Memory of the run. The pipeline holds it as a value and writes it to a file for agents. */
export type MemoryEntry = {
  readonly by: string;
  readonly step: string;
  readonly text: string;
  readonly invalid?: string;
};
export type IndexEntry = { readonly path: string; readonly sections: string; readonly by: string };
export type Memory = {
  readonly artifacts: readonly IndexEntry[];
  readonly decisions: readonly MemoryEntry[];
  readonly lessons: readonly MemoryEntry[];
  readonly updates: readonly MemoryEntry[];
};

export const EMPTY: Memory = { artifacts: [], decisions: [], lessons: [], updates: [] };

/** Number of completed steps whose decisions and updates are kept. */
const RECENT = 2;

/** Parses the memory entries of an agent's output: the list items below `## Memory`. */
export function parseMemoryEntries(text: string): string[] {
  const lines = removeFencedLines(text);
  const from = lines.findIndex((line) => /^##\s+Memory\s*$/i.test(line));
  if (from === -1) return [];
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => /^#{1,2}\s/.test(line));
  const section = to === -1 ? rest : rest.slice(0, to);
  return section.flatMap((line) => stripAuthorMark(/^\s*[-*]\s+(.+)$/.exec(line)?.[1] ?? "") || []);
}

/** Removes an agent's own author mark; the engine writes author and step. */
const stripAuthorMark = (text: string): string =>
  text.replace(/^(?:\s*\[(?:[^\]]*,\s*step-[^\]]*|INVALIDATED[^\]]*)\])+/i, "").trim();

type MemoryText = Pick<MemoryEntry, "by" | "step" | "text">;
export type MemoryOutput = MemoryText & { readonly path: string };

/** An output with the text that its memory entries are read from. */
export function addOutput(memory: Memory, { by, step, path, text }: MemoryOutput): Memory {
  const entries = parseMemoryEntries(text).map((line) => ({ by, step, text: line }));
  const decisions = [...memory.decisions, ...entries.filter((entry) => !isLesson(entry.text))];
  const known = { ...memory, decisions };
  return addUpdate(addLessons(known, entries), { by, step, text: "", path, sections: listSectionTitles(text) });
}

/**
 * @rule C-35 (policy) Documents that a documentation-writer changed get an index entry (path, key sections) and an
 *   update line before the next wave.
 */
export function addUpdate(memory: Memory, about: MemoryText & { path: string; sections: string }): Memory {
  const { by, step, path, sections, text } = about;
  const summary = text ? ` — ${text}` : "";
  return {
    ...memory,
    artifacts: [...memory.artifacts.filter((each) => each.path !== path), { path, sections, by }],
    updates: [...memory.updates, { by, step, text: `Updated \`${path}\`${summary}` }],
  };
}

export const listSectionTitles = (text: string): string =>
  removeFencedLines(text)
    .flatMap((line) => /^##\s+(.+)$/.exec(line)?.[1]?.trim() ?? [])
    .join(", ")
    .replaceAll("|", "/");

const isLesson = (text: string): boolean => /\S\s*→\s*\S|\S\s+->\s+\S/.test(text);

/**
 * Adds each `Issue → Resolution` lesson once.
 * @rule C-22 (policy) Lessons (`Issue → Resolution`) of finished tasks are stored once each, before the next wave
 *   starts.
 */
export function addLessons(memory: Memory, from: readonly MemoryText[]): Memory {
  const lessons = [...memory.lessons];
  for (const entry of from) {
    if (isLesson(entry.text) && !lessons.some(({ text }) => text === entry.text)) lessons.push(entry);
  }
  return { ...memory, lessons };
}

/** Parses lessons from an agent's final message: whole lines, or parts of its last line between semicolons. */
export const parseLessons = (said: string): string[] =>
  removeFencedLines(said)
    .flatMap((line) => line.split(";"))
    .map((part) => part.replace(/^\s*[-*]\s+/, "").trim())
    .filter(isLesson);

/**
 * @rule C-20 (policy) Memory is pruned after steps 1, 2 and 4: decisions and updates older than two steps go; the index
 *   and the lessons stay.
 */
export function pruneMemory(memory: Memory, completed: readonly string[]): Memory {
  const recent = completed.slice(-RECENT);
  const keep = (entry: MemoryEntry) => recent.includes(entry.step);
  return { ...memory, decisions: memory.decisions.filter(keep), updates: memory.updates.filter(keep) };
}

/**
 * @rule C-21 (policy) Entries affected by a failure or revision are marked before the dispatch. Those that were not
 *   replaced are removed after it.
 */
export function invalidateEntries(memory: Memory, steps: readonly string[], reason: string): Memory {
  const mark = (entry: MemoryEntry): MemoryEntry =>
    steps.includes(entry.step) && entry.invalid === undefined ? { ...entry, invalid: reason } : entry;
  return { ...memory, decisions: memory.decisions.map(mark), updates: memory.updates.map(mark) };
}

/** Removes the entries that are still marked. */
export function removeInvalidEntries(memory: Memory): Memory {
  const isValid = (entry: MemoryEntry) => entry.invalid === undefined;
  return { ...memory, decisions: memory.decisions.filter(isValid), updates: memory.updates.filter(isValid) };
}

/**
 * @rule C-41 (policy) Memory entries have the form `[agent, step-N] text`; invalid ones begin with `[INVALIDATED —
 *   reason]`.
 */
export function formatMemory(memory: Memory): string {
  const rows = memory.artifacts.map(({ path, sections, by }) => `| ${path} | ${sections} | ${by} |`);
  return [
    "# Operational Memory",
    ["## Artifact Index\n", "| Artifact | Key Sections | Last Updated By |", "| --- | --- | --- |", ...rows].join("\n"),
    formatEntries("Recent Decisions", memory.decisions),
    formatEntries("Lessons Learned", memory.lessons),
    formatEntries("Recent Updates", memory.updates),
    "",
  ].join("\n\n");
}

function formatEntries(title: string, entries: readonly MemoryEntry[]): string {
  const lines = entries.map(({ by, step, text, invalid }) => {
    const mark = invalid === undefined ? "" : `[INVALIDATED — ${invalid}] `;
    return `- ${mark}[${by}, step-${step}] ${text}`;
  });
  return [`## ${title}`, lines.join("\n")].join("\n\n").trimEnd();
}
