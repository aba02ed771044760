/** Operational memory: kept as a value by the pipeline, shown to agents as a file, written by nobody else. */
export type Entry = { readonly by: string; readonly step: string; readonly text: string; readonly invalid?: string };
export type Memory = {
  readonly artifacts: readonly { readonly path: string; readonly sections: string; readonly by: string }[];
  readonly decisions: readonly Entry[];
  readonly lessons: readonly Entry[];
  readonly updates: readonly Entry[];
};

export const EMPTY: Memory = { artifacts: [], decisions: [], lessons: [], updates: [] };

/** What an agent hands over: list items below a `## Memory` heading of its own output. */
export function entriesIn(text: string): string[] {
  const [, section = ""] = /^## Memory\s*\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? [];
  return [...section.matchAll(/^\s*[-*]\s+(.+)$/gm)].map(([, line = ""]) => line.trim());
}

export type Handover = { readonly by: string; readonly step: string; readonly path: string; readonly text: string };

export function handedOver(memory: Memory, { by, step, path, text }: Handover): Memory {
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title.trim()).join(", ");
  const decisions = entriesIn(text).map((line) => ({ by, step, text: line }));
  return {
    ...memory,
    artifacts: [...memory.artifacts.filter((each) => each.path !== path), { path, sections, by }],
    decisions: [...memory.decisions, ...decisions],
    updates: [...memory.updates, { by, step, text: `Updated \`${path}\`` }],
  };
}

/** `Issue → Resolution` lines of finished tasks, each once. */
export function learned(
  memory: Memory,
  from: readonly { readonly by: string; readonly step: string; readonly text: string }[],
): Memory {
  const known = new Set(memory.lessons.map((entry) => entry.text));
  const fresh = from.filter((entry) => entry.text.includes("→") && !known.has(entry.text));
  return { ...memory, lessons: [...memory.lessons, ...fresh] };
}

/** Decisions and updates of the two last completed steps stay; index and lessons always do. */
export function pruned(memory: Memory, recent: readonly string[]): Memory {
  const keep = (entry: Entry) => recent.includes(entry.step);
  return { ...memory, decisions: memory.decisions.filter(keep), updates: memory.updates.filter(keep) };
}

export function invalidated(memory: Memory, steps: readonly string[], reason: string): Memory {
  const mark = (entry: Entry): Entry => (steps.includes(entry.step) ? { ...entry, invalid: reason } : entry);
  return { ...memory, decisions: memory.decisions.map(mark), updates: memory.updates.map(mark) };
}

export function cleaned(memory: Memory): Memory {
  const valid = (entry: Entry) => entry.invalid === undefined;
  return { ...memory, decisions: memory.decisions.filter(valid), updates: memory.updates.filter(valid) };
}

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
