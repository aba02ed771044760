import { expect, test } from "vitest";
import { countCells } from "../cells.ts";
import { PLAIN } from "../paint.ts";
import { agent, NOW, PHASES, page, question } from "./page.fixture.ts";
import { type RegionInput, renderLiveRegion } from "./region.ts";

const KEYS = [
  { key: "enter", does: "details" },
  { key: "t", does: "transcript" },
  { key: "p", does: "pause" },
  { key: "a", does: "answer" },
  { key: "?", does: "keys" },
];

const shown = (columns: number, rows = 40, more: Partial<RegionInput> = {}): RegionInput => ({
  size: { columns, rows },
  now: NOW,
  look: { paint: PLAIN, ascii: false },
  keys: KEYS,
  ...more,
});

test("a wide window shows agents, drivers, times, last actions, cost, all phases and the forecast", () => {
  const checks = [{ name: "test", line: "npm test", since: NOW - 12_000, phase: "6 Verify" }];
  expect(renderLiveRegion(page({ checks }, [...PHASES, question("Approve the plan?")]), shown(120))).toEqual([
    "─".repeat(119),
    "● 5 Implement · round 2                                    waiting for 2 agents since 09:24:13 (17s) · no action needed",
    "  ● implementer greet     scripted  17s  silent 16s  write src/greet.js                                 ~$0.49 reserved",
    "  ● implementer initials  scripted  17s  silent 16s  write src/greet.js                                 ~$0.49 reserved",
    "  ● check test  12s  npm test",
    "◆ 1 question: Approve the plan?  a-1afa68c8  waiting 5m 00s                                                    a answer",
    "▪ 0–4 answered   ● 5 Implement   ✗ 6 Verify   ○ 7 Code review   ○ 8 Knowledge   ○ 9 Commit",
    "0:37 · 25 dispatches · $3.52 known + ~$1.24 of $8.00                     forecast 27–32 dispatches, 30s–1m 59s (3 runs)",
    "enter details  t transcript  p pause  a answer  ? keys                                                     ctrl-c stops",
  ]);
});

test("below 100 columns the driver, the phases and the forecast are omitted", () => {
  expect(renderLiveRegion(page(), shown(80))).toEqual([
    "─".repeat(79),
    "● 5 Implement · round 2            waiting for 2 agents, 17s · no action needed",
    "  ● implementer greet     17s  silent 16s  write src/greet.js            ~$0.49",
    "  ● implementer initials  17s  silent 16s  write src/greet.js            ~$0.49",
    "● 5 Implement, phase 6 of 10   ✗ 6 Verify",
    "0:37 · 25 dispatches                              $3.52 known + ~$1.24 of $8.00",
    "enter details  t transcript  p pause  a answer  ? keys             ctrl-c stops",
  ]);
});

test("on 60 columns the right side moves below the left one, broken at its dots", () => {
  expect(renderLiveRegion(page(), shown(60)).slice(1, 5)).toEqual([
    "● 5 Implement · round 2",
    "  waiting for 2 agents, 17s · no action needed",
    "  ● implementer greet     17s  write src/greet.js    ~$0.49",
    "  ● implementer initials  17s  write src/greet.js    ~$0.49",
  ]);
});

test("on 60 columns the key that lists the others is still shown", () => {
  const keys = [...KEYS.slice(0, 2), { key: "s", does: "stop one agent" }, ...KEYS.slice(2)];
  expect(renderLiveRegion(page(), shown(60, 40, { keys })).at(-1)).toBe(
    "enter details  t transcript  ? keys            ctrl-c stops",
  );
});

test.each([40, 60, 80, 100, 140, 200])("no line reaches the last of %i columns", (columns) => {
  const agents = [
    agent("日本語のエージェント名前がとても長い", { attempt: 3 }),
    agent("x".repeat(200)),
    agent("🎉 party"),
  ];
  const because = "rate limit ".repeat(40);
  const resting = [{ who: "reviewer", because, untilMs: NOW + 5_000 }];
  const checks = [{ name: "test", line: "npm test ".repeat(60), since: NOW, phase: "" }];
  const rows = [...PHASES, question("Is it fine? ".repeat(30))];
  const lines = renderLiveRegion(page({ agents, resting, checks }, rows), shown(columns));
  expect(Math.max(...lines.map(countCells))).toBeLessThan(columns);
});

test.each([6, 8, 12, 16, 24, 50])("%i rows: at most half of them are used, and the head is always shown", (rows) => {
  const agents = Array.from({ length: 30 }, (_, at) => agent(`worker-${at + 1}`));
  const lines = renderLiveRegion(page({ agents }), shown(100, rows));
  expect(lines.length).toBeLessThanOrEqual(rows / 2);
  expect(lines.some((line) => line.startsWith("● 5 Implement"))).toBe(true);
});

test("agents that do not fit are counted", () => {
  const agents = Array.from({ length: 30 }, (_, at) => agent(`worker-${at + 1}`));
  const lines = renderLiveRegion(page({ agents }), shown(100, 24));
  expect(lines.filter((line) => line.includes("worker-"))).toHaveLength(6);
  expect(lines).toContain("    … and 24 more agents");
});

test("text of an agent cannot move the cursor, color or reorder anything", () => {
  const evil = "\u001b[2J\u001b]0;owned\u0007\u001b[31mrm -rf\n\r\u202e/\u0007 \u009b5A";
  const lines = renderLiveRegion(page({ agents: [agent("x", { lastAction: { text: evil, at: NOW } })] }), shown(100));
  expect(lines.join("\n")).toMatch(/rm -rf/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may remain.
  expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]|owned/);
});

test("in ASCII mode every glyph is an ASCII character", () => {
  const rows = [...PHASES, question("Approve the plan?")];
  const lines = renderLiveRegion(page({}, rows), shown(100, 40, { look: { paint: PLAIN, ascii: true } }));
  expect(lines.join("\n")).toMatch(/^[\n -~]*$/);
  expect(Math.max(...lines.map(countCells))).toBeLessThan(100);
});

test("a long silence shows the time left, and an agent without an engine shows what happens to it", () => {
  const agents = [
    agent("a", { silence: { forMs: 240_000, leftMs: 60_000 } }),
    agent("b", { stale: true, fate: "goes on with the next engine" }),
  ];
  const lines = renderLiveRegion(page({ agents }), shown(100));
  expect(lines[2]).toContain("silent 4m 00s, 1m 00s left");
  expect(lines[3]).toMatch(/^ {2}◷ b .*goes on with the next engine/);
});

test("an unreported cost is shown as not reported, and never as zero", () => {
  const cost = { known: 0, assumed: 0, reserved: 0, counted: 0, unknown: 24, open: 1, limitUsd: null };
  const lines = renderLiveRegion(page({ cost, forecast: null }), shown(100));
  expect(lines.at(-2)).toMatch(/^0:37 · 25 dispatches +cost not reported$/);
});

test("a wide window shows the usage of earlier attempts and of the whole run", () => {
  const tokens = { input: 1_200_000, output: 240_000, unknown: 0 };
  const agents = [agent("a", { attempt: 2, said: { tokens: 12_400, usd: 0.1 } })];
  const wide = renderLiveRegion(page({ agents, tokens }), shown(140)).join("\n");
  expect(wide).toMatch(/write src\/greet\.js +12k tokens \$0\.10 {2}~\$0\.49 reserved/);
  expect(wide).toContain("25 dispatches · 1.4M tokens · $3.52 known");
  expect(renderLiveRegion(page({ agents, tokens }), shown(60)).join("\n")).not.toContain("tokens");
});
