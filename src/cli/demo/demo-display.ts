import type { JournalRecord } from "../../core/journal/record.ts";
import { createSqliteHost } from "../../hosts/sqlite/host.ts";
import type { Call } from "../call.ts";
import { createPageFeed } from "../live/page-feed.ts";
import { openRunDisplay, type RunDisplay } from "../live/run-display.ts";
import { resolvePlaces } from "../project/repository.ts";
import { createRealWorld } from "../real-world.ts";
import type { DemoProject } from "./project.ts";

/** Live display of the demo's run, below the demo's own text. */
export type DemoDisplay = {
  heard(record: JournalRecord): Promise<void>;
  /** Hides the display while another reader uses the terminal. */
  aside<T>(use: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export function openDemoDisplay(call: Call, project: DemoProject): DemoDisplay {
  let opened: { readonly shown: RunDisplay; close(): Promise<void> } | undefined;
  const openDisplay = async (run: string) => {
    const world = createRealWorld();
    const places = await resolvePlaces(project.repo);
    const host = createSqliteHost({ file: places.database, world, looking: true });
    const store = { places, world, host };
    const shown = openRunDisplay(call, { store, run, feed: createPageFeed(store, run), isWatched: true });
    return { shown, close: () => host.close() };
  };
  return {
    async heard(record) {
      if (!call.live) return;
      opened ??= await openDisplay(record.run);
      opened.shown.heard(record);
    },
    aside: (use) => (opened ? opened.shown.aside(use) : use()),
    async close() {
      opened?.shown.close();
      await opened?.close();
      opened = undefined;
    },
  };
}
