import { unfenced } from "../building/findings.ts";

/** Operational memory: kept as a value by the pipeline, shown to agents as a file, written by nobody else. */
export type Entry = { readonly by: string; readonly step: string; readonly text: string; readonly invalid?: string };
export type Artifact = { readonly path: string; readonly sections: string; readonly by: string };
export type Memory = {
  readonly artifacts: readonly Artifact[];
  readonly decisions: readonly Entry[];
  readonly lessons: readonly Entry[];
  readonly updates: readonly Entry[];
};

export const EMPTY: Memory = { artifacts: [], decisions: [], lessons: [], updates: [] };

/** How many of the completed steps keep their decisions and updates. */
const RECENT = 2;

/** What an agent hands over: list items below a `## Memory` heading of its own output. */
export function entriesIn(text: string): string[] {
  const lines = unfenced(text);
  const from = lines.findIndex((line) => /^##\s+Memory\s*$/i.test(line));
  if (from === -1) return [];
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => /^#{1,2}\s/.test(line));
  const section = to === -1 ? rest : rest.slice(0, to);
  return section.flatMap((line) => unmarked(/^\s*[-*]\s+(.+)$/.exec(line)?.[1] ?? "") || []);
}

/** Who said it, and when, is the engine's to write: an agent's own mark could name somebody else. */
const unmarked = (text: string): string =>
  text.replace(/^(?:\s*\[(?:[^\]]*,\s*step-[^\]]*|INVALIDATED[^\]]*)\])+/i, "").trim();

type MemoryText = Pick<Entry, "by" | "step" | "text">;
export type Handover = MemoryText & { readonly path: string };

/** An output and what its author wants to be remembered of it. */
export function handedOver(memory: Memory, { by, step, path, text }: Handover): Memory {
  const entries = entriesIn(text).map((line) => ({ by, step, text: line }));
  const decisions = [...memory.decisions, ...entries.filter((entry) => !isLesson(entry.text))];
  const known = { ...memory, decisions };
  return updated(learned(known, entries), { by, step, text: "", path, sections: sectionsIn(text) });
}

/** @rule C-35 (policy) Between waves, new documents get an index entry and a line about them. */
export function updated(memory: Memory, about: MemoryText & { path: string; sections: string }): Memory {
  const { by, step, path, sections, text } = about;
  const summary = text ? ` — ${text}` : "";
  return {
    ...memory,
    artifacts: [...memory.artifacts.filter((each) => each.path !== path), { path, sections, by }],
    updates: [...memory.updates, { by, step, text: `Updated \`${path}\`${summary}` }],
  };
}

export const sectionsIn = (text: string): string =>
  unfenced(text)
    .flatMap((line) => /^##\s+(.+)$/.exec(line)?.[1]?.trim() ?? [])
    .join(", ")
    .replaceAll("|", "/");

const isLesson = (text: string): boolean => /\S\s*→\s*\S|\S\s+->\s+\S/.test(text);

/**
 * `Issue → Resolution`, each once, however often it is said.
 * @rule C-22 (policy) What finished tasks learned is in the memory before the next wave starts, each lesson once.
 */
export function learned(memory: Memory, from: readonly MemoryText[]): Memory {
  const lessons = [...memory.lessons];
  for (const entry of from) {
    if (isLesson(entry.text) && !lessons.some(({ text }) => text === entry.text)) lessons.push(entry);
  }
  return { ...memory, lessons };
}

/** The lessons in what an agent said at the end: lines, or parts of its last line between semicolons. */
export const lessonsIn = (said: string): string[] =>
  unfenced(said)
    .flatMap((line) => line.split(";"))
    .map((part) => part.replace(/^\s*[-*]\s+/, "").trim())
    .filter(isLesson);

/**
 * @rule C-20 (policy) After steps 1, 2 and 4 decisions and updates older than two steps go; the index and the lessons
 *   stay.
 */
export function pruned(memory: Memory, completed: readonly string[]): Memory {
  const recent = completed.slice(-RECENT);
  const keep = (entry: Entry) => recent.includes(entry.step);
  return { ...memory, decisions: memory.decisions.filter(keep), updates: memory.updates.filter(keep) };
}

/**
 * @rule C-21 (policy) Entries that a revision concerns are marked before it and, where nobody replaced them, removed
 *   after it.
 */
export function invalidated(memory: Memory, steps: readonly string[], reason: string): Memory {
  const mark = (entry: Entry): Entry =>
    steps.includes(entry.step) && entry.invalid === undefined ? { ...entry, invalid: reason } : entry;
  return { ...memory, decisions: memory.decisions.map(mark), updates: memory.updates.map(mark) };
}

/** What nobody has replaced since it was marked is gone. */
export function cleaned(memory: Memory): Memory {
  const valid = (entry: Entry) => entry.invalid === undefined;
  return { ...memory, decisions: memory.decisions.filter(valid), updates: memory.updates.filter(valid) };
}

/** @rule C-41 (policy) Every entry of the memory names agent and step; an invalid one says why it is. */
export function memoryText(memory: Memory): string {
  const rows = memory.artifacts.map(({ path, sections, by }) => `| ${path} | ${sections} | ${by} |`);
  return [
    "# Operational Memory",
    ["## Artifact Index\n", "| Artifact | Key Sections | Last Updated By |", "| --- | --- | --- |", ...rows].join("\n"),
    list("Recent Decisions", memory.decisions),
    list("Lessons Learned", memory.lessons),
    list("Recent Updates", memory.updates),
    "",
  ].join("\n\n");
}

function list(title: string, entries: readonly Entry[]): string {
  const lines = entries.map(({ by, step, text, invalid }) => {
    const mark = invalid === undefined ? "" : `[INVALIDATED — ${invalid}] `;
    return `- ${mark}[${by}, step-${step}] ${text}`;
  });
  return [`## ${title}`, lines.join("\n")].join("\n\n").trimEnd();
}
