import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeWord, parseShellLine } from "./shell-line.ts";

test.each([
  ["signalbox ", ["signalbox", ""], false],
  ["signalbox run le", ["signalbox", "run", "le"], false],
  ["  signalbox run --from ab:1\\ Re", ["signalbox", "run", "--from", "ab:1 Re"], false],
  ['signalbox run --from "ab:1 Re', ["signalbox", "run", "--from", "ab:1 Re"], true],
  ["signalbox approve 'a b' ", ["signalbox", "approve", "a b", ""], false],
  ['signalbox "$(touch x)" `y` ', ["signalbox", "$(touch x)", "`y`", ""], false],
  ["signalbox 'it", ["signalbox", "it"], true],
  ["signalbox \\", ["signalbox", ""], false],
])("%j is split like a shell does", (line, words, quoted) => {
  expect(parseShellLine(line)).toEqual({ words, quoted });
});

test("bash and this parser read the escaped form of any word as that word", () => {
  const word = fc
    .string({ minLength: 1, maxLength: 12, unit: "binary-ascii" })
    .filter((text) => !/[\0\n\t]/.test(text));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const line = words.map(escapeWord).join(" ");
      expect(parseShellLine(line).words).toEqual(words);
      const said = execFileSync("bash", ["-fc", `printf '%s\\0' ${line}`], { encoding: "utf8" });
      expect(said.split("\0").slice(0, -1)).toEqual(words);
    }),
    { numRuns: 25 },
  );
});
