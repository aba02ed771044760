import xterm from "@xterm/headless";
import { expect, test } from "vitest";
import { createScreen } from "./screen.ts";

const RULE = "────────────────────────────────";

type Size = { readonly cols: number; readonly rows: number };

function opened({ cols, rows }: Size = { cols: 40, rows: 10 }) {
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 1000, allowProposedApi: true });
  let bytes = 0;
  const screen = createScreen({
    strays: true,
    write: (text) => {
      bytes += text.length;
      terminal.write(text);
    },
  });
  const settled = () => new Promise<void>((resolve) => terminal.write("", resolve));
  const lines = async (): Promise<string[]> => {
    await settled();
    const { active } = terminal.buffer;
    const all = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? "");
    return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
  };
  return { terminal, screen, lines, settled, bytes: () => bytes };
}

test("log lines scroll above the region", async () => {
  const { screen, lines } = opened();
  screen.show([RULE, "● 5 Implement", "0:37"]);
  for (let at = 1; at <= 30; at += 1) screen.above([`line ${at}`]);
  const seen = await lines();
  expect(seen.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, at) => `line ${at + 1}`));
  expect(seen.slice(30)).toEqual([RULE, "● 5 Implement", "0:37"]);
});

test("a region that shrinks or grows leaves nothing behind", async () => {
  const { screen, lines } = opened();
  screen.above(["first"]);
  screen.show([RULE, "one", "two", "three"]);
  screen.show([RULE, "one"]);
  expect(await lines()).toEqual(["first", RULE, "one"]);
  screen.show([RULE, "a", "b", "c", "d"]);
  expect(await lines()).toEqual(["first", RULE, "a", "b", "c", "d"]);
});

test("at the end the region is erased and the cursor is below the last line", async () => {
  const { screen, lines, terminal } = opened();
  screen.above(["first"]);
  screen.show([RULE, "one"]);
  screen.hide();
  expect(await lines()).toEqual(["first"]);
  expect(terminal.buffer.active.cursorY).toBe(1);
  screen.above(["second"]);
  expect(await lines()).toEqual(["first", "second"]);
});

test("an unchanged region writes nothing, and a changed line only itself", () => {
  const { screen, bytes } = opened();
  screen.show([RULE, "silent 16s", "0:37"]);
  const before = bytes();
  screen.show([RULE, "silent 16s", "0:37"]);
  expect(bytes()).toBe(before);
  screen.show([RULE, "silent 17s", "0:37"]);
  expect(bytes() - before).toBeLessThan(70);
});

test.each([
  [140, 60],
  [60, 100],
  [100, 30],
  [140, 30],
])("from %i to %i columns nothing above is lost and nothing of the old region is left", async (from, to) => {
  const { screen, lines, terminal, settled } = opened({ cols: from, rows: 24 });
  const told = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
  screen.above(told);
  screen.show(["─".repeat(from - 1), "x".repeat(from - 1), "0:37"]);
  await settled();
  terminal.resize(to, 24);
  screen.resized(to);
  screen.show(["─".repeat(to - 1), "● 5 Implement", "0:38"]);
  expect(await lines()).toEqual([...told, "─".repeat(to - 1), "● 5 Implement", "0:38"]);
});

test("a window that shrinks before the resize event cuts the region instead of wrapping its lines", async () => {
  const { screen, lines, terminal, settled } = opened({ cols: 80, rows: 24 });
  screen.above(["first"]);
  screen.show(["─".repeat(79), "0:37"]);
  await settled();
  terminal.resize(30, 24);
  screen.show(["─".repeat(79), "0:38"]);
  await settled();
  screen.resized(30);
  screen.show(["─".repeat(29), "0:39"]);
  expect(await lines()).toEqual(["first", "─".repeat(29), "0:39"]);
});

test("a lower window keeps all log lines", async () => {
  const { screen, lines, terminal, settled } = opened({ cols: 80, rows: 24 });
  const told = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
  screen.above(told);
  screen.show(["─".repeat(79), "a", "b", "c", "0:37"]);
  await settled();
  terminal.resize(80, 8);
  screen.resized(80);
  screen.show(["─".repeat(79), "a", "0:38"]);
  expect(await lines()).toEqual([...told, "─".repeat(79), "a", "0:38"]);
});
