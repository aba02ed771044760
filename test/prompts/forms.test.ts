import { describe, expect, test } from "vitest";
import type { Role } from "../../src/core/authoring/role.ts";
import type { Dialect } from "../../src/core/contract/dialect.ts";
import { readContract } from "../../src/core/contract/read.ts";
import { contractTemplate } from "../../src/core/contract/template.ts";
import { BUILT_IN } from "../../src/pipelines/index.ts";

const NONCE = "a1b2c3d4";
const pipelines = await Promise.all(Object.values(BUILT_IN).map((pipeline) => pipeline()));
const roles = pipelines.flatMap(({ name, dialect, roles }) =>
  roles.map((role) => [`${name}: ${role.name}`, role, dialect] as const),
);

const formOf = ({ contract, signed }: Role, dialect: Dialect): string =>
  contractTemplate({ dialect, schema: contract, nonce: NONCE, signed });

/** As if the agent were right about everything else. */
const read = ({ contract, signed }: Role, dialect: Dialect, text: string) =>
  readContract({ dialect, text, nonce: NONCE, schema: contract, ...(signed ? { signature: "BLUE_OTTER" } : {}) });

describe.each(roles)("the form of %s", (_name, role, dialect) => {
  const form = formOf(role, dialect);

  test("shows no number and no truth that could be an answer", () => {
    const outside = form.replace(/"[^"\n]*"|<[^<>\n]*>|`[^`\n]*`/g, "…").replaceAll(NONCE, "…");
    expect(outside).not.toMatch(/[:[-] ?(?:true|false|null|-?\d+(?:\.\d+)?)(?:[\],]|$| [#/])/m);
  });

  test("given back unchanged, is refused by a sentence that says so", () => {
    const said = dialect === "line" ? form.split("\n").filter((line) => line.includes(NONCE)) : [form];
    expect(said.length).toBeGreaterThan(0);
    for (const text of said) {
      const reading = read(role, dialect, text.trim());
      expect(reading).toMatchObject({ ok: false, code: "contract_placeholder" });
      expect(reading.ok ? "" : reading.message).toMatch(/given back unchanged|the placeholder "<one sentence>"/);
    }
  });
});
