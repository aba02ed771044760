import { listen } from "../../src/surfaces/server/listen.ts";
import { createStage, stagePort } from "../../src/surfaces/server/port/port.fixture.ts";
import { createSession } from "../../src/surfaces/server/session.ts";
import type { LongRun } from "./long-run.ts";

type Options = {
  /** Folder of the built dashboard. */
  readonly web: string;
  readonly recordsPerSecond: number;
};
export type ServedRun = { readonly link: string; close(): Promise<void> };

/** Starts the real server over a run in memory, which continues while a client is connected. */
export async function servedRun(run: LongRun, { web, recordsPerSecond }: Options): Promise<ServedRun> {
  const port = stagePort(createStage());
  const runs = {
    ...port.runs,
    page: async () => run.page(),
    changes: async (_: string, after: number) => run.changeAfter(after),
    watch: (_: string, changed: () => void) => {
      const timer = setInterval(() => {
        run.record();
        changed();
      }, 1000 / recordsPerSecond);
      return () => clearInterval(timer);
    },
  };
  const session = createSession({ token: "t".repeat(43), now: Date.now });
  const server = await listen({ port: { ...port, runs }, session, web, ports: [0] });
  if (!server) throw new Error("No free port for the server.");
  return { link: `http://127.0.0.1:${server.port}/#code=${session.newCode()}`, close: () => server.close() };
}
