import { expect, test } from "vitest";
import { cpuMs } from "../../../test/support/cpu-clock.ts";
import { createCheckRow, createStep, stampRecords } from "../../hosts/suite/facts.ts";
import { findRowDifferences } from "./ledger-difference.ts";
import { createDerivation, type DerivedRow, type StoredRow } from "./ledger-rows.ts";

const derivedOf = (count: number): readonly DerivedRow[] =>
  createDerivation().take(
    stampRecords(
      "run-1",
      1,
      Array.from({ length: count }, (_, at) => createStep(at + 1, [createCheckRow({ task_id: `task-${at}` })])),
    ),
  );
const storedOf = (rows: readonly DerivedRow[]): StoredRow[] =>
  rows.map(({ table, values }, at) => ({ id: at + 1, table, values }));
const told = (derived: readonly DerivedRow[], stored: readonly StoredRow[]) =>
  [...findRowDifferences(derived, stored)].map(({ message }) => message);

test("the same rows in another order are no difference", () => {
  const derived = derivedOf(3);
  expect(told(derived, storedOf(derived))).toEqual([]);
  expect(told(derived, storedOf(derived).toReversed())).toEqual([]);
});

test("a changed row is reported with its value and the journal's", () => {
  const derived = derivedOf(3);
  const [first, second, third] = storedOf(derived);
  if (!first || !second || !third) throw new Error("three were made");
  const forged = { ...second, values: second.values.map((value) => (value === 1 ? 0 : value)) };
  expect(told(derived, [first, forged, third])).toEqual([
    "anvil_checks row 2: passed is 0, the journal says 1; round is 0, the journal says 1 (record 2)",
  ]);
});

test("numbers in a text column, and texts in a number column, are derived as they are stored", () => {
  const [row] = createDerivation().take(
    stampRecords("run-1", 1, [createStep(1, [createCheckRow({ task_id: 5, round: "2" })])]),
  );
  expect(row?.values).toContain("5");
  expect(row?.values).toContain(2);
});

test("twenty thousand rows are compared in less than 200 ms, also if one differs", () => {
  const derived = derivedOf(20_000);
  const stored = storedOf(derived);
  const forged = stored.with(-1, { id: 20_000, table: "anvil_checks", values: [] });
  const began = cpuMs();
  expect(findRowDifferences(derived, stored).next().value).toBeUndefined();
  expect(findRowDifferences(derived, forged).next().value?.message).toContain("row 20000");
  expect(cpuMs() - began).toBeLessThan(200);
});
