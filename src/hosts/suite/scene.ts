import { randomUUID } from "node:crypto";
import { onTestFinished, type TestContext, test } from "vitest";
import type { Host, Lease } from "../../core/ports/host.ts";

export type HostFixture = {
  readonly host: Host;
  /** A second handle on the same store, as another process would have; or the reason why there is none. */
  readonly another: (() => Promise<Host>) | string;
  /** Resolves once every lease given before this call has lapsed. */
  lapse(): Promise<void>;
  /** Closes what the fixture opened and removes its files. */
  close(): Promise<void>;
};

export type HostSuiteOptions = {
  /** Title of a case → why this host cannot do it. */
  readonly skip?: Readonly<Record<string, string>>;
};

type HostScene = {
  readonly host: Host;
  /** Skips the case with the fixture's reason if there is no second handle. */
  another(): Promise<Host>;
  lapse(): Promise<void>;
  newRun(repo?: string): Promise<string>;
  /** A new run with a claim on it. */
  owned(owner?: string): Promise<Lease>;
  claimed(run: string, owner: string, host?: Host): Promise<Lease>;
};

export type HostCase = (title: string, body: (scene: HostScene) => Promise<void>) => void;

export function createCases(open: () => Promise<HostFixture>, options: HostSuiteOptions): HostCase {
  return (title, body) => {
    test(title, async (context) => {
      const reason = options.skip?.[title];
      if (reason) return context.skip(reason);
      const fixture = await open();
      onTestFinished(() => fixture.close());
      await body(createHostScene(fixture, context));
    });
  };
}

function createHostScene(fixture: HostFixture, context: TestContext): HostScene {
  const { host, another } = fixture;
  const scene: HostScene = {
    host,
    another: async () => (typeof another === "string" ? context.skip(another) : another()),
    lapse: () => fixture.lapse(),
    newRun: async (repo = "/repo") => {
      const id = `run-${randomUUID()}`;
      await host.runs.create({ id, pipeline: "ledger", repo });
      return id;
    },
    owned: async (owner = "engine-a") => scene.claimed(await scene.newRun(), owner),
    claimed: async (run, owner, by = host) => {
      const result = await by.runs.claim(run, owner);
      if (!result.won) throw new Error(`${owner} did not get ${run}: ${result.owner} has it`);
      return result.lease;
    },
  };
  return scene;
}
