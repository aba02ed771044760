import { describe, expect, test } from "vitest";
import type { Role } from "../../src/core/authoring/role.ts";
import type { Dialect } from "../../src/core/contract/dialect.ts";
import { readContract } from "../../src/core/contract/read.ts";
import { shapeOf } from "../../src/core/contract/shape.ts";
import { renderContractTemplate } from "../../src/core/contract/template.ts";
import type { Json } from "../../src/core/text/json.ts";
import { BUILT_IN } from "../../src/pipelines/index.ts";
import { type FormField, formFields, wholeAnswer, without } from "./whole-answer.ts";

const NONCE = "a1b2c3d4";
const pipelines = await Promise.all(Object.values(BUILT_IN).map((pipeline) => pipeline()));
const roles = pipelines.flatMap(({ name, dialect, roles }) =>
  roles.map((role) => [`${name}: ${role.name}`, role, dialect] as const),
);

const renderForm = ({ contract, signed }: Role, dialect: Dialect): string =>
  renderContractTemplate({ dialect, schema: contract, nonce: NONCE, signed });

/** Parses an answer as if everything else about it were correct. */
const read = ({ contract, signed }: Role, dialect: Dialect, text: string) =>
  readContract({ dialect, text, nonce: NONCE, schema: contract, ...(signed ? { signature: "BLUE_OTTER" } : {}) });

describe.each(roles)("the form of %s", (_name, role, dialect) => {
  const form = renderForm(role, dialect);

  test("shows no number and no boolean that could be an answer", () => {
    const outside = form.replace(/"[^"\n]*"|<[^<>\n]*>|`[^`\n]*`/g, "…").replaceAll(NONCE, "…");
    expect(outside).not.toMatch(/[:[-] ?(?:true|false|null|-?\d+(?:\.\d+)?)(?:[\],]|$| [#/])/m);
  });

  test("returned unchanged, is refused with a message that says so", () => {
    const said = dialect === "line" ? form.split("\n").filter((line) => line.includes(NONCE)) : [form];
    expect(said.length).toBeGreaterThan(0);
    for (const text of said) {
      const reading = read(role, dialect, text.trim());
      expect(reading).toMatchObject({ ok: false, code: "contract_placeholder" });
      expect(reading.ok ? "" : reading.message).toMatch(/form unchanged|the placeholder "<one sentence>"/);
    }
  });
});

/** Returns the complete answer once per value of each choice field: `status: FAILED`, `mode: design`. */
function listVariants(contract: Role["contract"]): readonly (readonly [string, Json])[] {
  const shape = shapeOf(contract);
  const whole = wholeAnswer(shape);
  return [...shape.fields()].flatMap(([name, { shape: field }]) =>
    // Only objects have fields.
    field.options.map((word) => [`${name}: ${word}`, { ...(whole as object), [name]: word }] as const),
  );
}

/** Returns the values that make a field required, if its mark names some: `only with status: FAILED or REJECTED`. */
function parseWords(due: string): readonly string[] | undefined {
  const [, name, words] = /^only with (\w+): (.+)$/.exec(due) ?? [];
  return words?.split(" or ").map((word) => `${name}: ${word}`);
}

function marked({ field: { due, required }, lenient }: FormField): "always" | "asked" | "optional" | readonly string[] {
  if (due === undefined) return required ? (lenient ? "asked" : "always") : "optional";
  return due === "always" ? "asked" : (parseWords(due) ?? "optional");
}

const answered = roles.filter(([, , dialect]) => dialect !== "line");

describe.each(answered)("what the form of %s calls optional or required is what its reader", (_name, { contract }) => {
  const variants = listVariants(contract);
  const fields = formFields(shapeOf(contract));
  const takes = (answer: Json): boolean => contract.safeParse(answer).success;
  const refusing = (path: readonly string[]): readonly string[] =>
    variants.flatMap(([word, answer]) => (takes(without(answer, path)) ? [] : [word]));
  const named = (some: readonly FormField[]): string[] => some.map(({ path }) => path.join("."));

  test("accepts complete, with each of its values", () => {
    expect(variants.length).toBeGreaterThan(0);
    expect(variants.filter(([, answer]) => !takes(answer)).map(([word]) => word)).toEqual([]);
  });

  test("accepts without each field that is optional", () => {
    const free = fields.filter((field) => marked(field) === "optional");
    expect(named(free.filter(({ path }) => refusing(path).length > 0))).toEqual([]);
  });

  test("refuses without each required field", () => {
    const due = fields.filter((field) => marked(field) === "always");
    expect(named(due.filter(({ path }) => refusing(path).length === 0))).toEqual([]);
  });

  test("requires with some values only, and accepts without with others", () => {
    const missed = fields.flatMap((each) => {
      const words = marked(each);
      if (typeof words === "string") return [];
      const [field = ""] = words[0]?.split(" ") ?? [];
      const others = refusing(each.path).filter((word) => word.startsWith(field) && !words.includes(word));
      return others.map((word) => `${named([each])} with ${word}`);
    });
    expect(missed).toEqual([]);
  });
});
