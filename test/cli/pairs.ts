import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { CommandEnd } from "./scene.ts";

export type Word = "approve" | "reject" | "resume" | "cancel";

/** Two commands issued at the same moment for a run that asks a question or is paused. */
export type Pair = { readonly parked: "ask" | "pause"; readonly words: readonly [Word, Word] };

/** Every sensible pair of commands; a pause cannot be rejected. */
export const PAIRS: readonly Pair[] = [
  ...createPairs("ask", ["approve", "reject", "resume", "cancel"]),
  ...createPairs("pause", ["approve", "resume", "cancel"]),
];

function createPairs(parked: Pair["parked"], words: readonly Word[]): readonly Pair[] {
  return words.flatMap((one, at) => words.slice(at).map((other): Pair => ({ parked, words: [one, other] })));
}

export const titleOf = ({ parked, words }: Pair): string => `${parked}: ${words.join(" and ")}`;

export type Said = { readonly word: Word; readonly note: string } & CommandEnd;
export type Played = Pair & { readonly said: readonly [Said, Said]; readonly records: readonly JournalRecord[] };

/** Returns the problems with two answers; none if one counted and the other learned who gave it. */
export function wrongIn(played: Played): readonly string[] {
  const { said, records } = played;
  const ends = records.filter((record) => record.type === "run.finished");
  const decided = records.filter((record) => record.type === "approval.decided");
  const of = (problem: string) => `${titleOf(played)}: ${problem}: ${said.map(formatAnswer).join(" | ")}`;
  return [
    ...(ends.length > 1 ? [of(`${ends.length} ends`)] : []),
    ...(decided.length > 1 ? [of(`${decided.length} decisions`)] : []),
    ...said.filter(({ out, err }) => `${out}${err}`.trim() === "").map(() => of("one left without a word")),
    ...said.flatMap((one, at) => findProblem(one, { other: said[1 - at] ?? one, end: ends[0] }).map(of)),
    ...(isExclusivePair(played) ? [] : [of("not exactly one counted")]),
  ];
}

const formatAnswer = ({ word, exit, out, err }: Said): string => `${word} ${exit} ${(err || out).slice(-300)}`;

/** Commands of which only one can take effect. */
function isExclusivePair({ parked, words, said }: Played): boolean {
  const won = said.filter(({ exit }) => exit === 0).length;
  const answers = words.every((word) => word === "approve" || word === "reject");
  if (answers || words.every((word) => word === "cancel")) return won === 1;
  if (parked === "pause" && words.every((word) => word === "resume")) return won === 1;
  if (parked === "pause" && words.join() === "resume,cancel") return won === 1;
  return true;
}

type PairContext = { readonly other: Said; readonly end: JournalRecord<"run.finished"> | undefined };

const LATE = /already answered: \w+ by .+ at \d\d:\d\d|ended at \d\d:\d\d: /;
const OWNED = /is already running under /;

/** Each command exits with a documented code and prints the matching text. */
function findProblem({ word, exit, out, err }: Said, { other, end }: PairContext): readonly string[] {
  const text = `${out}${err}`;
  if (!CODES[word].includes(exit)) return [`${word} left with ${exit}`];
  if (exit === 2 && !LATE.test(text)) return [`${word} was refused and not told by whom`];
  if (exit === 6 && !OWNED.test(text)) return [`${word} was not told who drives the run`];
  if (exit === 2 && end?.by !== undefined && other.word === "cancel" && !text.includes("cancel")) {
    return [`${word} was not told that the run was canceled`];
  }
  if (exit === 2 && word === "cancel" && other.word === "cancel" && !text.includes(other.note)) {
    return ["the second to cancel was not told what the first said"];
  }
  if (exit === 0 && word === "cancel" && end?.status !== "canceled")
    return ["a run was not canceled that was said to be"];
  return [];
}

/**
 * Codes of docs/reference/cli.md: 0 counts, 1 ended as error or canceled, 2 too late, 3 waiting, 6 another engine
 * drives.
 */
const CODES: Readonly<Record<Word, readonly number[]>> = {
  approve: [0, 2],
  reject: [0, 2],
  resume: [0, 1, 2, 3, 6],
  cancel: [0, 2],
};
