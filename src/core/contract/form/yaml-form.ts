import type { Field, Shape } from "../shape.ts";
import { isFree, isList, itemOf, MOST_LEVELS, membersOf, notesOf, sampleOf, wordsOf } from "./sample.ts";

/** Renders each field as YAML that could be part of an answer, with comments about it. */
export function yamlForm(shape: Shape): readonly string[] {
  return membersOf(shape).flatMap(([name, field]) => memberLines(name, field, MOST_LEVELS));
}

function memberLines(name: string, field: Field, levels: number): readonly string[] {
  const { shape } = field;
  const words = wordsOf(name);
  const note = commentOf(notesOf(field));
  if (levels > 0 && isList(shape)) {
    return [`${name}:${note}`, ...itemLines(itemOf(field), words, levels - 1).map((line) => `  ${line}`)];
  }
  const members = levels > 0 ? membersOf(shape) : [];
  if (members.length > 0) {
    const lines = members.flatMap(([inner, member]) => memberLines(inner, member, levels - 1));
    return [`${name}:${note}`, ...lines.map((line) => `  ${line}`)];
  }
  if (shape.paragraphs && isFree(shape)) return [`${name}: |${note}`, `  ${plain(sampleOf(shape, words).text)}`];
  return [`${name}: ${scalarText(shape, words)}${note}`];
}

function itemLines(item: Field, words: string, levels: number): readonly string[] {
  const members = levels > 0 ? membersOf(item.shape) : [];
  if (members.length === 0) return [`- ${scalarText(item.shape, words)}`];
  const lines = members.flatMap(([name, member]) => memberLines(name, member, levels - 1));
  return lines.map((line, at) => `${at === 0 ? "- " : "  "}${line}`);
}

/** Text is quoted, so that an agent that imitates it may write a colon. Options are not quoted. */
function scalarText(shape: Shape, words: string): string {
  const { text } = sampleOf(shape, words);
  return isFree(shape) ? JSON.stringify(plain(text)) : plain(text);
}

const plain = (text: string): string => text.replace(/\s+/g, " ");

const commentOf = (note: string): string => (note === "" ? "" : ` # ${plain(note)}`);
