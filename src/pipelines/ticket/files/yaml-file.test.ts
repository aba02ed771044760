import { expect, test } from "vitest";
import { z } from "zod";
import { readYaml } from "./yaml-file.ts";

const Report = z.object({
  status: z.enum(["ACCEPTED", "REJECTED"]),
  criteria: z.array(z.object({ criterion: z.string(), met: z.boolean() })),
  note: z.enum(["late"]).optional(),
});

test("a file is parsed as leniently as an answer: capitals, quoted booleans, null for optional fields", () => {
  const text = 'status: Accepted\ncriteria:\n  - criterion: it greets\n    met: "true"\nnote: null\n';
  const value = { status: "ACCEPTED", criteria: [{ criterion: "it greets", met: true }] };
  expect(readYaml(text, Report)).toEqual({ ok: true, value });
});

test("a value outside the options is refused with the expected ones", () => {
  const problems = ['status: expected ACCEPTED | REJECTED, found "APPROVED"'];
  expect(readYaml("status: APPROVED\ncriteria: []\n", Report)).toEqual({ ok: false, problems });
});
