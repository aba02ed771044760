import { describe } from "vitest";
import { answerCases } from "./suite/answers.suite.ts";
import { effectCases } from "./suite/effects.suite.ts";
import { followCases } from "./suite/follow.suite.ts";
import { inboxCases } from "./suite/inbox.suite.ts";
import { journalCases } from "./suite/journal.suite.ts";
import { ledgerCases } from "./suite/ledger.suite.ts";
import { ownershipCases } from "./suite/ownership.suite.ts";
import { createCases, type HostFixture, type HostSuiteOptions } from "./suite/scene.ts";

export type { HostFixture, HostSuiteOptions } from "./suite/scene.ts";

/** The contract of every host. Each case opens its own fixture and uses its own runs. */
export function hostSuite(name: string, open: () => Promise<HostFixture>, options: HostSuiteOptions = {}): void {
  const it = createCases(open, options);
  describe(`${name}: ownership`, () => ownershipCases(it));
  describe(`${name}: journal`, () => journalCases(it));
  describe(`${name}: following`, () => followCases(it));
  describe(`${name}: inbox`, () => inboxCases(it));
  describe(`${name}: answers`, () => answerCases(it));
  describe(`${name}: ledger`, () => ledgerCases(it));
  describe(`${name}: effects and texts`, () => effectCases(it));
}
