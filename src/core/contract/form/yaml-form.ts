import type { Field, Shape } from "../shape.ts";
import {
  createSample,
  formatFieldNotes,
  getItemField,
  isFree,
  isList,
  listMembers,
  MOST_LEVELS,
  splitIntoWords,
} from "./sample.ts";

/** Renders each field as YAML that could be part of an answer, with comments about it. */
export function renderYamlForm(shape: Shape): readonly string[] {
  return listMembers(shape).flatMap(([name, field]) => renderYamlMember(name, field, MOST_LEVELS));
}

function renderYamlMember(name: string, field: Field, levels: number): readonly string[] {
  const { shape } = field;
  const words = splitIntoWords(name);
  const note = formatYamlComment(formatFieldNotes(field));
  if (levels > 0 && isList(shape)) {
    return [`${name}:${note}`, ...renderYamlItem(getItemField(field), words, levels - 1).map((line) => `  ${line}`)];
  }
  const members = levels > 0 ? listMembers(shape) : [];
  if (members.length > 0) {
    const lines = members.flatMap(([inner, member]) => renderYamlMember(inner, member, levels - 1));
    return [`${name}:${note}`, ...lines.map((line) => `  ${line}`)];
  }
  if (shape.paragraphs && isFree(shape))
    return [`${name}: |${note}`, `  ${toCommentText(createSample(shape, words).text)}`];
  return [`${name}: ${renderYamlScalar(shape, words)}${note}`];
}

function renderYamlItem(item: Field, words: string, levels: number): readonly string[] {
  const members = levels > 0 ? listMembers(item.shape) : [];
  if (members.length === 0) return [`- ${renderYamlScalar(item.shape, words)}`];
  const lines = members.flatMap(([name, member]) => renderYamlMember(name, member, levels - 1));
  return lines.map((line, at) => `${at === 0 ? "- " : "  "}${line}`);
}

/** Text is quoted, so that an agent that imitates it may write a colon. Options are not quoted. */
function renderYamlScalar(shape: Shape, words: string): string {
  const { text } = createSample(shape, words);
  return isFree(shape) ? JSON.stringify(toCommentText(text)) : toCommentText(text);
}

const toCommentText = (text: string): string => text.replace(/\s+/g, " ");

const formatYamlComment = (note: string): string => (note === "" ? "" : ` # ${toCommentText(note)}`);
