import type { Size } from "../../surfaces/terminal/live/region.ts";
import { createScreen, movesCursorOnReflow } from "../../surfaces/terminal/live/screen.ts";
import type { Call } from "../call.ts";
import { createKeyboard } from "./keyboard.ts";
import { handleSuspension } from "./suspension.ts";

/** Permanent lines with a live region below them. */
export type LiveTerminal = {
  /** Schedules a redraw. */
  changed(): void;
  /**
   * Hides the region while `use` has the terminal; lines are still written. Waits for an open pager, whose backlog is
   * printed first.
   */
  aside<T>(use: () => Promise<T>): Promise<T>;
  /** Hides the region and holds back lines, because a pager uses the whole screen. */
  away<T>(use: () => Promise<T>): Promise<T>;
  close(): void;
};

export type LiveOptions = {
  readonly call: Pick<Call, "divert">;
  /** Returns the region's current lines. */
  region(size: Size): readonly string[];
  /** Refreshes state that no record reports. Called once a second. */
  look(): Promise<void>;
  pressed(key: string): void;
  readonly streams?: { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream };
};

/** Minimum redraw interval that looks smooth, and the interval for clocks. */
const MIN_REDRAW_MS = 100;
const LOOK_MS = 1_000;

const OWN = { input: process.stdin, output: process.stdout };

export function openLive({ call, region, look, pressed, streams = OWN }: LiveOptions): LiveTerminal {
  const { input, output } = streams;
  const screen = createScreen({ write: (text) => output.write(text), strays: movesCursorOnReflow(process.env) });
  const keyboard = createKeyboard(input, pressed);
  /** Lines not written yet. Lines of one moment are written together. */
  let pending: string[] = [];
  let drawnAt = 0;
  let later: NodeJS.Timeout | undefined;
  let aside = 0;
  let away = 0;
  let back = Promise.withResolvers<void>();

  const flush = (): void => {
    if (pending.length === 0 || away > 0) return;
    screen.above(pending);
    pending = [];
  };
  const draw = (): void => {
    clearTimeout(later);
    later = undefined;
    drawnAt = Date.now();
    if (aside > 0) return;
    flush();
    screen.show(region({ columns: output.columns, rows: output.rows }));
  };
  const scheduleDraw = (): void => {
    if (aside > 0) return;
    later ??= setTimeout(draw, Math.max(0, drawnAt + MIN_REDRAW_MS - Date.now())).unref();
  };
  const handleResize = (): void => {
    screen.resized(output.columns);
    scheduleDraw();
  };
  const hideRegion = (): void => {
    aside += 1;
    flush();
    screen.hide();
    keyboard.rest();
  };
  const showRegion = (): void => {
    aside -= 1;
    if (aside > 0) return;
    keyboard.listen();
    draw();
  };
  const tick = setInterval(() => void look().then(scheduleDraw, () => undefined), LOOK_MS).unref();
  const suspension = handleSuspension({ lower: hideRegion, raise: showRegion });
  // The terminal must also be restored before a crash message is printed.
  process.on("exit", hideRegion);
  output.on("resize", handleResize);
  call.divert((line) => {
    pending.push(line);
    if (aside > 0) flush();
    else scheduleDraw();
  });
  keyboard.listen();
  void look().then(scheduleDraw, () => undefined);

  const runWithoutRegion = async <T>(use: () => Promise<T>): Promise<T> => {
    hideRegion();
    try {
      return await use();
    } finally {
      showRegion();
    }
  };

  return {
    changed: scheduleDraw,
    async aside(use) {
      while (away > 0) await back.promise;
      return runWithoutRegion(use);
    },
    async away(use) {
      try {
        return await runWithoutRegion(async () => {
          away += 1;
          try {
            return await use();
          } finally {
            away -= 1;
            flush();
          }
        });
      } finally {
        back.resolve();
        back = Promise.withResolvers();
      }
    },
    close() {
      clearInterval(tick);
      clearTimeout(later);
      suspension.close();
      process.off("exit", hideRegion);
      output.off("resize", handleResize);
      hideRegion();
      call.divert(undefined);
    },
  };
}
