import type { Finding } from "../../authoring/finding.ts";
import { checkTampering, type TextChange } from "./tamper.ts";

export type Sides = readonly [before: string | undefined, after: string | undefined];

/** Changes as path → text before and after; an absent side means that the file was added or deleted. */
export function judge(
  files: Readonly<Record<string, Sides>>,
  protectedPaths: readonly string[] = [],
): readonly Finding[] {
  const changes = Object.entries(files).map(([path, [before, after]]): TextChange => {
    const both = before === undefined ? "added" : "modified";
    return { path, status: before !== undefined && after === undefined ? "deleted" : both, before, after };
  });
  return checkTampering({ changes, protectedPaths });
}

export const JS = `const one = add(1, 0);

it("adds", () => {
  expect(add(1, 2)).toBe(3);
  expect(add(0, 0)).toBe(0);
});

it("subtracts", () => {
  expect(subtract(3, 2)).toBe(1);
});
`;
export const PYTHON = `import pytest

def test_add():
    assert add(1, 2) == 3

class TestShop:
    def test_price(self):
        self.assertEqual(price(), 3)
        assert price() > 0
`;
export const GO = `package shop

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("got %d", got)
	}
}

func TestPrice(t *testing.T) {
	require.Equal(t, 3, Price())
}
`;
export const RUST = `pub fn add(a: i32, b: i32) -> i32 { assert!(a > 0); a + b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
    }
}
`;
export const JAVA = `class ShopTest {
  @Test
  void adds() {
    assertEquals(3, add(1, 2));
  }
}
`;
export const RUBY = `describe Shop do
  it "adds" do
    expect(add(1, 2)).to eq 3
  end
end
`;
export const CI = `on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm run lint
      - run: npm test
`;
export const MAKE = "test: build\n\tgo test ./...\n\nbuild:\n\tgo build ./...\n\nclean:\n\t-rm -rf dist\n";
export const TOX = "[testenv]\ndeps = pytest\ncommands =\n    pytest {posargs}\n";
export const VITEST = `export default { test: { exclude: ["dist"], coverage: { thresholds: { lines: 90, branches: 80 } } } };\n`;
export const pack = (scripts: object, more: object = {}) => JSON.stringify({ name: "a", scripts, ...more }, null, 2);
export const PACKAGE = pack({ build: "tsc", test: "vitest run", lint: "eslint .", dev: "vite" });

export const swap = (text: string, from: string, to: string): Sides => {
  if (!text.includes(from)) throw new Error(`the fixture does not hold ${from}`);
  return [text, text.replace(from, to)];
};
