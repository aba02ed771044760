import { z } from "zod";
import { parseAgentDefinition } from "../../src/cli/agents/agent-files.ts";
import { parseConfig } from "../../src/cli/project/config.ts";
import { createRedactor } from "../../src/cli/secrets/redactor.ts";
import { parseInputText } from "../../src/cli/start/input.ts";
import { DIALECTS } from "../../src/core/contract/dialect.ts";
import { readContract } from "../../src/core/contract/read.ts";
import { parseAcpLine } from "../../src/drivers/acp/client-line.ts";
import { parseClaudeEvent } from "../../src/drivers/claude/claude-event.ts";
import { parseControls } from "../../src/drivers/claude/control.ts";
import { parseCodexEvent } from "../../src/drivers/codex/codex-event.ts";
import { findDisguisedFailure, reportedFailure } from "../../src/drivers/reported-failure.ts";
import { readScript } from "../../src/drivers/scripted/read-script.ts";
import { extractSection, parseFindings } from "../../src/pipelines/clusters/building/findings.ts";
import { listSectionTitles, parseLessons, parseMemoryEntries } from "../../src/pipelines/clusters/memory/memory.ts";
import { readPlanFile } from "../../src/pipelines/clusters/planning/plan-file.ts";
import { findFailingTasks, readTask } from "../../src/pipelines/clusters/planning/task-files.ts";
import { readPlan } from "../../src/pipelines/phases/artifacts.ts";
import { formatCommitMessage } from "../../src/pipelines/phases/closing/commit-message.ts";
import { markItem, parseRoadmap } from "../../src/pipelines/roadmap/choosing/roadmap.ts";
import { ImplementContract } from "../../src/pipelines/roadmap/contracts.ts";
import { readMemory } from "../../src/pipelines/roadmap/recording/memory.ts";
import { readPrompt } from "../../src/pipelines/ticket/preparing/request.ts";
import { readTasks } from "../../src/pipelines/ticket/preparing/tasks-file.ts";
import { escapeInline, formatCodeBlock, formatInlineCode } from "../../src/surfaces/reports/markdown-text.ts";
import { cleanText, toOneLine } from "../../src/surfaces/terminal/clean-text.ts";
import { wrapLine } from "../../src/surfaces/terminal/wrap.ts";
import { KIB, MIB, type Reader } from "./reader.ts";

const NONCE = "n7";
const schema = z.object({ status: z.string() });
const NOW = 1_763_000_000_000;

/** Readers of agents' answers and of the lines that agent programs print. */
const AGENTS: readonly Reader[] = [
  ...DIALECTS.map(
    (dialect): Reader => ({
      name: `contract ${dialect}`,
      kind: dialect === "json" ? "json" : dialect === "completion" || dialect === "status" ? "yaml" : "markdown",
      most: 8 * MIB,
      read: (text) => readContract({ dialect, text: `nonce: ${NONCE}\n${text}`, nonce: NONCE, schema }),
    }),
  ),
  { name: "line of an agent's program", kind: "json", most: 8 * MIB, read: agentLines },
  { name: "words of a failed turn", kind: "shell", most: 64 * KIB, read: failedTurn },
  {
    name: "secrets",
    kind: "terminal",
    most: 8 * MIB,
    read: createRedactor({ MY_TOKEN: 'päß"wörd\\12345678', OTHER_KEY: "x".repeat(40) }),
  },
];

/** Readers of the pipelines' documents. */
const DOCUMENTS: readonly Reader[] = [
  {
    name: "phases plan",
    kind: "yaml",
    most: 8 * MIB,
    read: (text) => [readPlan("a.md", text), readPlan("a.md", `---\n${text}\n---\n`)],
  },
  {
    name: "phases commit",
    kind: "markdown",
    most: 64 * KIB,
    read: (text) =>
      formatCommitMessage({
        plan: { task_title: text, summary: text, phases: [] },
        task: "t",
        parts: [],
        gates: [text],
      }),
  },
  {
    name: "clusters task",
    kind: "yaml",
    most: 8 * MIB,
    read: (text) => [readTask({ path: "a.md", text }), readTask({ path: "a.md", text: `---\n${text}\n---\n` })],
  },
  { name: "clusters documents", kind: "markdown", most: 8 * MIB, read: clustersDocument },
  { name: "roadmap", kind: "json", most: 8 * MIB, read: roadmap },
  {
    name: "roadmap contract",
    kind: "markdown",
    most: 256 * KIB,
    read: (text) => ImplementContract.safeParse({ status: "success", files: [text], evidence: [text] }),
  },
  { name: "ticket tasks", kind: "yaml", most: 8 * MIB, read: (text) => readTasks(text) },
  { name: "ticket request", kind: "markdown", most: 256 * KIB, read: (text) => readPrompt(text, "AB-1") },
];

/** Readers of settings and of displayed text. */
const SURFACES: readonly Reader[] = [
  { name: "config.yaml", kind: "yaml", most: 8 * MIB, read: (text) => parseConfig(text, "config.yaml") },
  {
    name: "agent definition",
    kind: "yaml",
    most: 8 * MIB,
    read: (text) => [parseAgentDefinition(text, "a"), parseAgentDefinition(`---\n${text}\n---\nbody`, "a")],
  },
  { name: "scripted agents", kind: "yaml", most: 8 * MIB, read: (text) => readScript(text) },
  { name: "input file", kind: "yaml", most: 8 * MIB, read: (text) => parseInputText(text, "a.yaml") },
  { name: "terminal text", kind: "terminal", most: 8 * MIB, read: (text) => [cleanText(text), toOneLine(text)] },
  {
    name: "terminal line",
    kind: "terminal",
    most: 256 * KIB,
    read: (text) => wrapLine(text, { width: 80, indent: 2 }),
  },
  {
    name: "report text",
    kind: "terminal",
    most: 8 * MIB,
    read: (text) => [escapeInline(text), formatInlineCode(text), formatCodeBlock(text)],
  },
];

export const OTHERS: readonly Reader[] = [...AGENTS, ...DOCUMENTS, ...SURFACES];

function agentLines(text: string): unknown {
  const events = text.split("\n").map((line) => [parseClaudeEvent(line), parseCodexEvent(line), parseAcpLine(line)]);
  return [events, parseControls(Buffer.from(text))];
}

function failedTurn(text: string): unknown {
  return [reportedFailure("agent", { message: text }, NOW), findDisguisedFailure("agent", text, NOW)];
}

function clustersDocument(text: string): unknown {
  const ids = ["01-a", "02-b"];
  return [
    ...[
      parseFindings(text, "critic"),
      extractSection(text, "Findings"),
      parseMemoryEntries(text),
      parseLessons(text),
      listSectionTitles(text),
    ],
    ...[
      readPlanFile(text, ids).problems,
      findFailingTasks(
        text,
        ids.map((id) => ({ id })),
      ),
    ],
  ];
}

function roadmap(text: string): unknown {
  const read = parseRoadmap(text);
  const [item] = read.ok ? read.roadmap.items : [];
  return [read.ok && item ? markItem(read.roadmap, { id: item.id, status: "done" }) : read, readMemory(text)];
}
