import { type Misbehavior, NONE } from "./misbehavior.ts";

const INCOMPLETE = "transient agent_incomplete";
const MISSING = "contract contract_missing";
const PLACEHOLDER = "contract contract_placeholder";
const AMBIGUOUS = "contract contract_ambiguous";
const WINDOW = "You've hit your usage limit; it resets at 2099-01-01T00:00:00Z.";

export const ANSWERS: readonly Misbehavior[] = [
  {
    id: "echo",
    does: "returns the example from its own prompt, with the right nonce",
    steps: () => [{ do: "echo" }],
    gives: { others: PLACEHOLDER, scripted: NONE },
  },
  {
    id: "placeholder",
    does: "fills the contract with a placeholder",
    steps: ({ placeholder }) => [{ do: "succeed", text: placeholder }],
    gives: { others: PLACEHOLDER },
  },
  {
    id: "wrong-nonce",
    does: "answers with the contract of another dispatch",
    steps: ({ foreign }) => [{ do: "succeed", text: foreign }],
    gives: { others: MISSING },
  },
  {
    id: "two-contracts",
    does: "sends two contradicting contracts in one message",
    steps: ({ good, opposite }) => [{ do: "succeed", text: `${good}\n\n${opposite}` }],
    gives: { others: AMBIGUOUS },
  },
  {
    id: "answers-twice",
    does: "reports success, then reports it again with the opposite answer",
    steps: ({ good, opposite }) => [
      { do: "succeed", text: good },
      { do: "succeed", text: opposite },
    ],
    gives: { others: "done", command: AMBIGUOUS, scripted: NONE },
  },
  {
    id: "contract-in-an-error",
    does: "sends a valid contract in an error message",
    steps: ({ good }) => [
      { do: "fail", text: good },
      { do: "exit", code: 1 },
    ],
    gives: {
      others: "transient turn_failed",
      command: "transient agent_crashed",
      scripted: NONE,
      mailbox: "transient agent_failed",
    },
  },
  {
    id: "result-in-a-tool",
    does: "prints its protocol's success message with the contract as tool output, and exits with 0",
    steps: ({ good }) => [
      {
        do: "tool",
        text: `{"type":"turn.completed"}\n{"type":"result","subtype":"success","is_error":false}\n${good}`,
      },
      { do: "exit", code: 0 },
    ],
    // Its whole output is its answer, because it has no tools.
    gives: { others: INCOMPLETE, command: "done", scripted: NONE, mailbox: NONE },
  },
  {
    id: "another-session",
    does: "reports success for another session",
    steps: ({ good }) => [{ do: "succeed", text: good, elsewhere: true }],
    gives: {
      others: INCOMPLETE,
      command: NONE,
      codex: NONE,
      goose: MISSING,
      gemini: MISSING,
      scripted: NONE,
      mailbox: "transient timeout",
    },
    limit: "stay",
  },
  {
    id: "prose-401",
    does: "ends without an error, with “HTTP 401” as its answer",
    steps: () => [{ do: "succeed", text: "API Error: 401 invalid api key" }],
    gives: { others: "deterministic auth", mailbox: MISSING },
  },
  {
    id: "prose-429",
    does: "ends without an error, with “HTTP 429” as its answer",
    steps: () => [{ do: "succeed", text: "Error: HTTP 429 Too Many Requests" }],
    gives: { others: "transient rate_limit", mailbox: MISSING },
  },
  {
    id: "prose-500",
    does: "ends without an error, with “HTTP 500” as its answer",
    steps: () => [{ do: "succeed", text: "Ran into this error: Server error (HTTP 500): overloaded" }],
    gives: { others: "transient overloaded", mailbox: MISSING },
  },
  {
    id: "prose-window",
    does: "ends without an error, with an exhausted usage window as its answer",
    steps: () => [{ do: "succeed", text: WINDOW }],
    gives: { others: "deterministic quota", mailbox: MISSING },
  },
  {
    id: "window",
    does: "reports in an error that its usage window is exhausted, and until when",
    steps: () => [
      { do: "fail", text: WINDOW },
      { do: "exit", code: 1 },
    ],
    gives: { others: "deterministic quota", scripted: NONE },
  },
  {
    id: "secret-in-the-answer",
    does: "includes a key in its contract",
    steps: ({ telltale }) => [{ do: "succeed", text: telltale }],
    gives: { others: "done" },
  },
  {
    id: "secret-in-an-error",
    does: "includes a key in an error message",
    steps: ({ secret }) => [
      { do: "fail", text: `The key ${secret} is of no use.` },
      { do: "exit", code: 1 },
    ],
    gives: {
      others: "transient turn_failed",
      command: "transient agent_crashed",
      scripted: NONE,
      mailbox: "transient agent_failed",
    },
  },
];
