import type { JournalRecord } from "../../core/journal/record.ts";
import { renderLiveRegion } from "../../surfaces/terminal/live/region.ts";
import type { Call } from "../call.ts";
import type { RunStore } from "../runs/run-store.ts";
import { createControls } from "./controls.ts";
import { type LiveTerminal, openLive } from "./live-terminal.ts";
import type { PageFeed } from "./page-feed.ts";
import { type ActionContext, createRunActions } from "./run-actions.ts";

/** Live display of a run below its printed lines. */
export type RunDisplay = Pick<LiveTerminal, "aside" | "close"> & { heard(record: JournalRecord): void };

type RunDisplayOptions = {
  readonly store: RunStore;
  readonly run: string;
  readonly feed: PageFeed;
  readonly answers?: ActionContext["answers"];
  /** Another process drives the run, so keys only display. */
  readonly isWatched?: boolean;
  /** Effect of Ctrl-C, for the key legend. */
  readonly leaving?: string;
};

export function openRunDisplay(
  call: Call,
  { store, run, feed, answers, isWatched = false, leaving = "stops" }: RunDisplayOptions,
): RunDisplay {
  const actions = createRunActions({ call, store, run, away: (use) => live.away(use), answers });
  const controls = createControls({
    actions: isWatched ? actions.filter(({ looks }) => looks) : actions,
    page: feed.page,
    changed: () => live.changed(),
  });
  const live = openLive({
    call,
    look: feed.look,
    pressed: controls.pressed,
    region: (size) =>
      renderLiveRegion(feed.page(), {
        size,
        now: store.world.now(),
        look: { paint: call.paint, ascii: call.ascii },
        keys: controls.keys(),
        leaving,
        notice: controls.notice(),
        numbered: controls.isChoosing(),
      }),
  });
  return {
    aside: live.aside,
    close: live.close,
    heard(record) {
      feed.take(record);
      live.changed();
    },
  };
}
