import { type Misbehavior, NONE } from "./misbehavior.ts";

const SILENT = "transient agent_silent";
const TIMEOUT = "transient agent_timeout";
const UNANSWERED = "transient timeout";

export const HANGS: readonly Misbehavior[] = [
  {
    id: "hang-at-once",
    does: "hangs before its first byte",
    early: [{ do: "hang" }],
    limit: "silence",
    walled: true,
    gives: { others: SILENT, mailbox: UNANSWERED },
  },
  {
    id: "hang-in-the-middle",
    does: "prints something and hangs",
    steps: () => [{ do: "say", text: "I begin." }, { do: "hang" }],
    limit: "silence",
    gives: { others: SILENT, scripted: NONE, mailbox: NONE },
  },
  {
    id: "hang-deaf",
    does: "hangs, ignores SIGTERM, and has a child in a separate session",
    steps: () => [{ do: "child" }, { do: "hang", deaf: true }],
    limit: "silence",
    walled: true,
    gives: { others: SILENT, mailbox: NONE },
  },
  {
    id: "hang-after-success",
    does: "reports success, and keeps running",
    steps: ({ good }) => [
      { do: "succeed", text: good },
      { do: "hang", deaf: true },
    ],
    limit: "stay",
    gives: { others: "done", command: SILENT, scripted: NONE, mailbox: NONE },
  },
  {
    id: "success-when-stopped",
    does: "is silent, and once it is stopped reports success and exits with 0",
    steps: ({ good }) => [{ do: "repent", text: good }],
    limit: "silence",
    gives: { others: SILENT, scripted: NONE, mailbox: NONE },
  },
  {
    id: "hangs-up",
    does: "closes its output and keeps running",
    steps: () => [{ do: "hangUp" }],
    limit: "stay",
    gives: { others: "transient agent_crashed", command: SILENT, codex: SILENT, scripted: NONE, mailbox: NONE },
  },
  {
    id: "drips",
    does: "prints one byte now and then, endlessly",
    steps: () => [{ do: "drip", everyMs: 150 }],
    limit: "drip",
    // A line protocol ignores output that never becomes a complete line.
    gives: { others: TIMEOUT, claude: SILENT, goose: SILENT, gemini: SILENT, mailbox: NONE },
  },
  {
    id: "spins",
    does: "computes endlessly without output",
    steps: () => [{ do: "spin" }],
    limit: "wall",
    gives: { others: TIMEOUT, mailbox: NONE },
  },
  {
    id: "retries-for-ever",
    does: "reports retries endlessly",
    steps: () => [{ do: "throttle", everyMs: 100 }],
    limit: "wall",
    gives: {
      others: TIMEOUT,
      codex: "transient connection",
      claude: "deterministic auth",
      scripted: NONE,
      mailbox: NONE,
    },
  },
];
