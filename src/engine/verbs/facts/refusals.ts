import type { Answered, Question } from "../../../core/authoring/verbs.ts";
import type { Refusal } from "../../../core/journal/effect.ts";
import type { Run } from "../../run.ts";

type AnsweredQuestion = { readonly question: Question<string>; readonly answer: Answered<string> };
type Place = { readonly key: string; readonly seq: number };

/** A person has sent back the very work that they were asked to accept. */
export function keepRefusal({ state }: Run, { question, answer }: AnsweredQuestion, { key, seq }: Place): void {
  const { accepts, revises, about } = question;
  const { choice, by, note } = answer;
  if (accepts === undefined || choice !== revises || !about || by === "automatic") return;
  const value = { by, ...(note === undefined ? {} : { note }), tree: about.tree, seq };
  state.refusals.said.set(key, { seq, value });
}

/** What was said about work that is committed by now is settled. */
export function settleRefusals({ state }: Run, seq: number): void {
  state.refusals.settledAt = Math.max(state.refusals.settledAt, seq);
}

/** Oldest first. */
export function refusalsIn({ state }: Run): readonly Refusal[] {
  const { said, settledAt } = state.refusals;
  return said.entries().flatMap(([, { seq, ...refusal }]) => (seq > settledAt ? [refusal] : []));
}

/**
 * Whoever is asked about work reads what people have refused before, and first of all where it is this very work.
 * @rule A-35 (policy) What a person said when they sent work back stands in every later dispatch until the commit, with
 *   who said it; the next question about work shows it, and says first where the same tree was refused before.
 */
export function withRefusals(run: Run, question: Question<string>): Pick<Question<string>, "title" | "show" | "brief"> {
  const { title, show, brief, about, accepts } = question;
  const refusals = accepts === undefined || !about ? [] : refusalsIn(run);
  if (refusals.length === 0) return { title, show, ...(brief ? { brief } : {}) };
  const refused = refusals.map(({ by, note = "", tree }) => ({
    by,
    said: note,
    ...(tree === about?.tree ? { work: "this very work" } : {}),
  }));
  const same = refusals.findLast(({ tree }) => tree === about?.tree);
  return {
    title: same ? `This is the work that ${same.by} refused${words(same)}. ${title}` : title,
    show: isRecord(show) ? { refused, ...show } : { refused, about: show },
    ...(brief ? { brief: [{ title: "Refused before", lines: refusals.map(refusalLine) }, ...brief] } : {}),
  };
}

const refusalLine = ({ by, note = "" }: Refusal): string => (note.trim() === "" ? by : `${by}: ${note.trim()}`);

/** As much as a title has room for; all of it is shown below. */
const MOST = 90;

function words({ note = "" }: Refusal): string {
  const [line = ""] = note.trim().split("\n");
  return line === "" ? "" : `: "${line.length > MOST ? `${line.slice(0, MOST - 1)}…` : line}"`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
