import { type Misbehavior, NONE } from "./misbehavior.ts";

const FLOODED = "transient agent_flooded";
const INCOMPLETE = "transient agent_incomplete";
const MISSING = "contract contract_missing";
const GARBAGE = "00fffe1b5b324a0dc0807b220af0288cbc0a7b2274797065223a0a00000000e280a80a";
const ENDLESS = 2 ** 40;

export const BYTES: readonly Misbehavior[] = [
  {
    id: "flood-of-lines",
    does: "prints short protocol lines endlessly",
    steps: () => [{ do: "floodLines", bytes: ENDLESS }],
    limit: "output",
    gives: { others: FLOODED, scripted: NONE, mailbox: NONE },
  },
  {
    id: "flood-in-one-line",
    does: "prints one endless line",
    steps: () => [{ do: "floodLine", bytes: ENDLESS }],
    limit: "output",
    gives: { others: FLOODED, mailbox: NONE },
  },
  {
    id: "long-output",
    does: "prints half of the output limit in short protocol lines before a valid answer",
    steps: ({ good, mostBytes }) => [
      { do: "floodLines", bytes: mostBytes / 2 },
      { do: "succeed", text: good },
    ],
    limit: "output",
    gives: { others: "done", scripted: NONE, mailbox: NONE },
  },
  {
    id: "hole",
    does: "makes its output file a sparse file of four terabytes",
    steps: () => [{ do: "sparse", bytes: 2 ** 42 }],
    limit: "output",
    walled: true,
    gives: { others: FLOODED, scripted: NONE, mailbox: NONE },
  },
  {
    id: "garbage",
    does: "prints binary data, and exits with 0",
    steps: () => [
      { do: "bytes", hex: GARBAGE },
      { do: "exit", code: 0 },
    ],
    gives: { others: INCOMPLETE, command: MISSING, scripted: NONE, mailbox: NONE },
  },
  {
    id: "garbage-and-answer",
    does: "prints binary data with NUL bytes before a valid answer",
    steps: ({ good }) => [
      { do: "bytes", hex: GARBAGE },
      { do: "succeed", text: good },
    ],
    gives: { others: "done", scripted: NONE, mailbox: NONE },
  },
  {
    id: "split-characters",
    does: "answers with characters that are split between two reads of its output",
    steps: ({ good }) => [
      { do: "pad", bytes: 65_400 },
      { do: "succeed", text: `${"🙂".repeat(300)}\n\n${good}` },
    ],
    gives: { others: "done", scripted: NONE, mailbox: NONE },
  },
];
