import { writeFileSync } from "node:fs";
import type { Reporter, TestCase } from "vitest/node";

/** A test that did not run. `reason` is what the test gave to `context.skip`; other tests say it in their title. */
export type SkippedTest = { readonly file: string; readonly title: string; readonly reason?: string };

/** Writes the skipped tests of a run with their reasons, which Vitest's own JSON report leaves out. */
export default class SkipsReporter implements Reporter {
  readonly #skipped: SkippedTest[] = [];

  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    if (result.state !== "skipped") return;
    const reason = result.note === undefined ? {} : { reason: result.note };
    this.#skipped.push({ file: test.module.relativeModuleId, title: test.fullName, ...reason });
  }

  onTestRunEnd(): void {
    const target = process.env["SIGNALBOX_TEST_SKIPS"];
    if (target) writeFileSync(target, JSON.stringify(this.#skipped));
  }
}
