import { type Misbehavior, NONE } from "./misbehavior.ts";

export const TRACES: readonly Misbehavior[] = [
  {
    id: "child-holds-output",
    does: "reports success and leaves a child, in a separate session, that keeps its output open",
    steps: ({ good }) => [
      { do: "child", holds: true },
      { do: "succeed", text: good },
    ],
    walled: true,
    gives: { others: "done", mailbox: NONE },
  },
  {
    id: "crash-child-holds-output",
    does: "exits with 3 and leaves a child that keeps its output open",
    steps: () => [
      { do: "child", holds: true },
      { do: "exit", code: 3 },
    ],
    gives: { others: "transient agent_crashed", mailbox: NONE },
  },
  {
    id: "daemon",
    does: "reports success and leaves a daemon, forked twice, without an environment",
    steps: ({ good }) => [{ do: "daemon" }, { do: "succeed", text: good }],
    walled: true,
    lost: 1,
    gives: { others: "done", mailbox: NONE },
  },
  {
    id: "children",
    does: "reports success and leaves forty children in separate sessions",
    steps: ({ good }) => [
      { do: "children", count: 40 },
      { do: "succeed", text: good },
    ],
    walled: true,
    gives: { others: "done", mailbox: NONE },
  },
  {
    id: "forged-exit",
    does: "writes exit code 0 to the engine's record of ends, and exits with 1",
    steps: () => [{ do: "forgeExit" }, { do: "exit", code: 1 }],
    walled: true,
    gives: { others: "transient agent_crashed", scripted: NONE, mailbox: NONE },
  },
  {
    id: "pipe-for-output",
    does: "replaces its output file with a FIFO without a writer, after a valid answer",
    steps: ({ good }) => [{ do: "succeed", text: good }, { do: "pipeForOutput" }],
    walled: { others: "done" },
    gives: { others: "done", command: "contract contract_missing", scripted: NONE, mailbox: NONE },
  },
  {
    id: "wrecks-its-folder",
    does: "removes its own repository and reports success",
    steps: ({ good }) => [{ do: "wreck" }, { do: "succeed", text: good }],
    role: "writer",
    gives: { others: "transient folder_lost", mailbox: NONE },
  },
];
