import type { Answered, Question } from "../../../core/authoring/verbs.ts";
import type { Refusal } from "../../../core/journal/effect.ts";
import type { Run } from "../../run.ts";

type AnsweredQuestion = { readonly question: Question<string>; readonly answer: Answered<string> };
type RefusalPosition = { readonly key: string; readonly seq: number };

/** Stores that a person sent back the work they were asked to accept, or anything else with a note. */
export function storeRefusal(
  { state }: Run,
  { question, answer }: AnsweredQuestion,
  { key, seq }: RefusalPosition,
): void {
  const { title, accepts, revises, about } = question;
  const { choice, by, note = "" } = answer;
  const refused = (accepts !== undefined && about !== undefined) || note.trim() !== "";
  if (choice !== revises || !refused || by === "automatic") return;
  const of = { asked: title, ...(about ? { tree: about.tree } : {}) };
  state.refusals.said.set(key, { seq, value: { by, ...(note === "" ? {} : { note }), ...of, seq } });
}

/** Settles refusals of work that is committed by now. */
export function settleRefusals({ state }: Run, seq: number): void {
  state.refusals.settledAt = Math.max(state.refusals.settledAt, seq);
}

/** Lists open refusals, oldest first. */
export function listOpenRefusals({ state }: Run): readonly Refusal[] {
  const { said, settledAt } = state.refusals;
  return said.entries().flatMap(([, { seq, ...refusal }]) => (seq > settledAt ? [refusal] : []));
}

/**
 * Adds earlier refusals to a question about acceptance; the title names a refusal of the same tree.
 * @rule A-35 (policy) What a person said when they sent a plan or work back is part of every later dispatch until the
 *   commit, with their name. The next question that can be sent back shows it, and says first if the same tree was
 *   refused before.
 */
export function addRefusals(run: Run, question: Question<string>): Pick<Question<string>, "title" | "show" | "brief"> {
  const { title, show, brief, about, accepts, revises } = question;
  const refusals = accepts === undefined && revises === undefined ? [] : listOpenRefusals(run);
  if (refusals.length === 0) return { title, show, ...(brief ? { brief } : {}) };
  const refused = refusals.map(({ by, note = "", tree }) => ({
    by,
    said: note,
    ...(about && tree === about.tree ? { work: "this very work" } : {}),
  }));
  const same = about && refusals.findLast(({ tree }) => tree === about.tree);
  return {
    title: same ? `This is the work that ${same.by} refused${quoteNote(same)}. ${title}` : title,
    show: isRecord(show) ? { refused, ...show } : { refused, about: show },
    ...(brief ? { brief: [{ title: "Refused before", lines: refusals.map(formatRefusal) }, ...brief] } : {}),
  };
}

const formatRefusal = ({ by, note = "" }: Refusal): string => (note.trim() === "" ? by : `${by}: ${note.trim()}`);

/** Longest quote in a title; all of it is shown below. */
const MOST = 90;

function quoteNote({ note = "" }: Refusal): string {
  const [line = ""] = note.trim().split("\n");
  return line === "" ? "" : `: "${line.length > MOST ? `${line.slice(0, MOST - 1)}…` : line}"`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
