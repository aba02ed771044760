import { expect, test } from "vitest";
import { refuseCommittedPassword } from "./address.ts";

test("a committed password is rejected, and the error does not contain it", () => {
  const refusal = () => refuseCommittedPassword("postgres://ada:wide-open-sesame@db/x", ".signalbox/config.yaml");
  expect(refusal).toThrow(/config.yaml contains a password/);
  expect(refusal).not.toThrow(/sesame/);
  expect(() => refuseCommittedPassword("postgres://ada@db/x", ".signalbox/config.yaml")).not.toThrow();
});
