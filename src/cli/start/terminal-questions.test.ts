import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";
import { PLAIN } from "../../surfaces/terminal/paint.ts";
import type { Call } from "../call.ts";
import { askOnTerminal } from "./terminal-questions.ts";

const ASKED: JournalRecord<"approval.requested"> = {
  type: "approval.requested",
  key: "1/Keep it?",
  approval: "a-1",
  title: "Keep it?",
  show: null,
  choices: ["keep", "revise"],
  revises: "revise",
  auto: "never",
  hash: "h",
  v: 1,
  seq: 1,
  ts: 0,
  run: "r",
  chain: "",
};

function atTerminal() {
  const [printed, posted]: [string[], unknown[]] = [[], []];
  const [input, output] = [new PassThrough(), new PassThrough()];
  const left = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  // Only these members are used.
  const call = { paint: PLAIN, width: 80, print: (line: string) => void printed.push(line) } as unknown as Call;
  const inbox = {
    post: async (_run: string, signal: unknown) => {
      posted.push(signal);
      answered.resolve();
      return undefined;
    },
  };
  const host = { inbox } as unknown as Host;
  const interrupt = () => {};
  const parts = {
    call,
    host,
    by: "ada",
    interrupt,
    streams: { input, output },
    leave: left.resolve,
    whole: async () => "",
  };
  return {
    questions: askOnTerminal(parts),
    input,
    output,
    printed,
    posted,
    left: left.promise,
    answered: answered.promise,
  };
}

test("closing the input leaves the question open and no longer holds the run", async () => {
  const { questions, input, printed, posted, left } = atTerminal();
  questions.heard(ASKED);
  input.end();
  await left;
  expect(printed.join("\n")).toContain("a-1 stays open: signalbox inbox a-1");
  expect(posted).toEqual([]);
});

test("a choice and its note are posted as one answer", async () => {
  const { questions, input, output, posted, answered } = atTerminal();
  const replies: [string, string][] = [
    ["your choice", "2\n"],
    ["note (required)", "shorter\n"],
  ];
  output.on("data", (chunk) => {
    if (String(chunk).includes(replies[0]?.[0] ?? "-")) input.write(replies.shift()?.[1] ?? "");
  });
  const shown: string[] = [];
  output.on("data", (chunk) => shown.push(String(chunk)));
  questions.heard(ASKED);
  await answered;
  // Each choice is displayed with its consequence.
  expect(shown.join("")).toMatch(/ {2}1 \w+ +the run continues\n {2}2 revise +returns the work with your note\n/);
  expect(posted).toMatchObject([{ kind: "answer", approval: "a-1", choice: "revise", note: "shorter" }]);
  questions.close();
});
