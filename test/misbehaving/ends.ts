import { type Misbehavior, NONE } from "./misbehavior.ts";

const CRASHED = "transient agent_crashed";
const KILLED = "transient agent_killed";
const INCOMPLETE = "transient agent_incomplete";
const FAILED = "transient turn_failed";
const MISSING = "contract contract_missing";

export const ENDS: readonly Misbehavior[] = [
  {
    id: "success-exit-1",
    does: "reports success, and exits with 1",
    steps: ({ good }) => [
      { do: "succeed", text: good },
      { do: "exit", code: 1 },
    ],
    // The protocol ends a turn, not a process, so the later exit code is not reported.
    gives: { others: CRASHED, goose: "done", gemini: "done", scripted: NONE, mailbox: NONE },
  },
  {
    id: "error-exit-0",
    does: "reports an error, and exits with 0",
    steps: () => [
      { do: "fail", text: "Something went wrong." },
      { do: "exit", code: 0 },
    ],
    gives: { others: FAILED, command: MISSING, scripted: NONE, mailbox: "transient agent_failed" },
  },
  {
    id: "success-then-error",
    does: "reports success, then an error, and exits with 0",
    steps: ({ good }) => [
      { do: "succeed", text: good },
      { do: "fail", text: "Something went wrong." },
      { do: "exit", code: 0 },
    ],
    gives: { others: FAILED, command: "done", goose: "done", gemini: "done", scripted: NONE, mailbox: "done" },
  },
  {
    id: "error-then-success",
    does: "reports an error, then success, and exits with 0",
    steps: ({ good }) => [
      { do: "fail", text: "Something went wrong." },
      { do: "succeed", text: good },
      { do: "exit", code: 0 },
    ],
    gives: { others: FAILED, command: "done", scripted: NONE, mailbox: "transient agent_failed" },
  },
  {
    id: "nothing-exit-0",
    does: "exits with 0 at once without output",
    early: [{ do: "exit", code: 0 }],
    gives: { others: INCOMPLETE, command: MISSING, mailbox: NONE },
  },
  {
    id: "half-a-line",
    does: "exits with 0 in the middle of its last line",
    steps: () => [{ do: "half" }, { do: "exit", code: 0 }],
    gives: { others: INCOMPLETE, command: "contract contract_invalid", scripted: NONE, mailbox: NONE },
  },
  {
    id: "sigkill",
    does: "is killed by SIGKILL",
    steps: () => [{ do: "die", signal: "SIGKILL" }],
    walled: true,
    gives: { others: KILLED, mailbox: NONE },
  },
  {
    id: "sigsegv",
    does: "crashes with SIGSEGV after it reported success",
    steps: ({ good }) => [
      { do: "succeed", text: good },
      { do: "die", signal: "SIGSEGV" },
    ],
    gives: { others: KILLED, goose: "done", gemini: "done", scripted: NONE, mailbox: NONE },
  },
  {
    id: "kills-its-parent",
    does: "kills the process that started it, and keeps running",
    steps: () => [{ do: "child" }, { do: "killParent" }],
    limit: "silence",
    walled: { others: "transient agent_silent", claude: KILLED, goose: KILLED, gemini: KILLED },
    gives: { others: KILLED, scripted: NONE, mailbox: NONE },
  },
];
