import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { afterAll, expect } from "vitest";

/** Clock ticks per second in /proc: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/** utime, stime, cutime and cstime in /proc/self/stat, counted after the process name in parentheses. */
const FIRST_TIME = 11;

type CpuTime = { readonly own: number; readonly children: number };

// Vitest evaluates a setup file before each test file, so this is the time before the file is imported.
const start = readCpuTime();
const target = process.env["SIGNALBOX_TEST_COSTS"];

afterAll(() => {
  const end = readCpuTime();
  const file = expect.getState().testPath;
  if (!target || !start || !end || !file) return;
  appendFileSync(
    target,
    `${JSON.stringify({ file, own: end.own - start.own, children: end.children - start.children })}\n`,
  );
});

/** CPU seconds of this process and of the children that it has waited for. Undefined where there is no /proc. */
function readCpuTime(): CpuTime | undefined {
  if (!existsSync("/proc/self/stat")) return undefined;
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(FIRST_TIME, FIRST_TIME + 4).map(Number);
  return { own: (user + system) / TICKS_PER_SECOND, children: (childUser + childSystem) / TICKS_PER_SECOND };
}
