import { formatLabeledTexts, type LabeledText, wrapWords } from "../../surfaces/terminal/labeled-texts.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import type { InputField } from "./describe-fields.ts";
import type { PipelineFacts } from "./pipeline-facts.ts";

export type PipelineStyle = { readonly paint: Paint; readonly width: number; readonly rules: boolean };

/** Formats a pipeline for the terminal, wrapped to the width. Empty sections are omitted. */
export function formatPipeline(facts: PipelineFacts, style: PipelineStyle): readonly string[] {
  const { paint, width } = style;
  const formatSection = (title: string, list: readonly LabeledText[]): string[] =>
    list.length === 0 ? [] : ["", paint.bold(title), ...formatLabeledTexts(list, { width })];
  return [
    `${paint.bold(facts.name)}  ${paint.dim(`version ${facts.version}, ${facts.from}`)}`,
    ...wrapWords(facts.about, width),
    ...formatSection("Limits", toLimitEntries(facts)),
    ...formatSection("Input", facts.fields.map(toFieldEntry)),
    ...formatSection("Phases", facts.phases.map(createPhaseFormatter(facts))),
    ...formatSection("Roles", facts.roles.map(toRoleEntry)),
    ...formatSection(
      "Gates",
      facts.gates.map(({ id, because, kind }) => ({ name: id, text: kind === "sql" ? `${because} (SQL)` : because })),
    ),
    ...formatSection(`Policy ${facts.policy?.file ?? ""}`, toPolicyEntries(facts.policy?.knobs ?? [])),
    ...formatSection(
      "Files",
      facts.artifacts.map(({ name, path }) => ({ name, text: path })),
    ),
    ...formatRules(facts, style),
  ];
}

function toLimitEntries({ cap, retry, loops, dialect }: PipelineFacts): readonly LabeledText[] {
  const rounds = Object.entries(loops).map(([loop, most]) => `${loop} ${most}`);
  return [
    { name: "agents at once", text: String(cap) },
    { name: "after a failure", text: retry },
    ...(rounds.length > 0 ? [{ name: "max rounds", text: rounds.join(", ") }] : []),
    { name: "answer format", text: dialect },
  ];
}

function toFieldEntry({ name, type, needed, unless, otherwise }: InputField): LabeledText {
  const open = unless === undefined ? "optional" : `required unless ${unless}`;
  const left = otherwise === undefined ? open : `default ${JSON.stringify(otherwise)}`;
  return { name, text: needed ? type : `${type}, ${left}` };
}

/** Formats one line per section of the policy file, with the default of each setting. */
function toPolicyEntries(knobs: readonly InputField[]): readonly LabeledText[] {
  const sections = Map.groupBy(knobs, ({ name }) => name.split(".")[0] ?? name);
  return [...sections].map(([name, fields]) => ({
    name,
    text: fields.map((field) => `${field.name.slice(name.length + 1)} ${formatDefault(field)}`.trim()).join(", "),
  }));
}

function formatDefault({ type, otherwise }: InputField): string {
  if (otherwise === undefined) return `(${type})`;
  return Array.isArray(otherwise) ? otherwise.join(" ") : JSON.stringify(otherwise);
}

/** Names the next phases only if they differ from the following one. */
function createPhaseFormatter({ phases }: PipelineFacts) {
  return ({ title, roles, next }: PipelineFacts["phases"][number], at: number): LabeledText => {
    const plain = next.length === 1 && next[0] === phases[at + 1]?.title;
    const then = plain || next.length === 0 ? "" : ` → ${next.join(" or ")}`;
    return { name: title, text: `${roles.join(", ") || "no agent"}${then}` };
  };
}

function toRoleEntry({ role, does, writes, signed }: PipelineFacts["roles"][number]): LabeledText {
  const marks = [...(writes ? ["writes"] : []), ...(signed ? ["signed"] : [])];
  return { name: role, text: marks.length > 0 ? `${does} (${marks.join(", ")})` : does };
}

function formatRules({ rules }: PipelineFacts, { paint, width, rules: all }: PipelineStyle): readonly string[] {
  if (rules.length === 0) return [];
  const kinds = Map.groupBy(rules, ({ kind }) => kind);
  const counts = [...kinds].map(([kind, list]) => `${kind} ${list.length}`).join(", ");
  const head = ["", `${paint.bold("Rules")}  ${rules.length}: ${counts}`];
  if (!all)
    return [
      ...head,
      ...wrapWords("Show each rule and where it is enforced: --rules", width - 2).map((line) => `  ${line}`),
    ];
  return [
    ...head,
    ...rules.flatMap(({ id, kind, rule, by }) => [
      ...formatLabeledTexts([{ name: id, text: rule }], { width }),
      ...formatLabeledTexts([{ name: " ".repeat(id.length), text: `${kind}, ${by}`, painted: paint.dim }], { width }),
    ]),
  ];
}
