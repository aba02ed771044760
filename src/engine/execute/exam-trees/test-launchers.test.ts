import { expect, test } from "vitest";
import { scene } from "../../../workspace/scene.suite.ts";
import { composeExam } from "./compose-exam.ts";

type Files = Readonly<Record<string, string>>;
type Asked = { readonly files: Files; readonly edits: Files; readonly lines?: readonly string[] };

async function doubtsOf({ files, edits, lines = [] }: Asked): Promise<readonly string[]> {
  const at = await scene({ "shop/price.js": "1\n", ...files });
  const texts = Object.entries({ "shop/price.js": "2\n", ...edits }).map(([path, text]) => ({ path, text }));
  const now = await at.workspace.render(at.tree, texts);
  const { doubtful = [] } = await composeExam(at.workspace, { old: at.tree, new: now, lines, collected: [] });
  return [...new Set(doubtful.flatMap(({ paths }) => paths))];
}

const HERE = 'HERE="$(cd "$(dirname "$0")" && pwd)"\npython3 "$HERE/verify.py"\n';
const JUDGES: Record<string, Asked & { readonly lines: readonly string[] }> = {
  "a program behind another one": {
    files: { "ci/verify.py": "old\n" },
    edits: { "ci/verify.py": "new\n" },
    lines: ["timeout 60 ./ci/verify.py"],
  },
  "a program in a loop": {
    files: { "checks/price.js": "old\n" },
    edits: { "checks/price.js": "new\n" },
    lines: ["for f in checks/*.js; do node $f || exit 1; done"],
  },
  "a program behind a variable of a shell script": {
    files: { "ci/run.sh": HERE, "ci/verify.py": "old\n" },
    edits: { "ci/verify.py": "new\n" },
    lines: ["nice bash ci/run.sh"],
  },
  "a program behind a variable of a recipe": {
    files: { Makefile: "test:\n\t$(PYTHON) verify.py\n", "verify.py": "old\n" },
    edits: { "verify.py": "new\n" },
    lines: ["make test"],
  },
  "what such a program imports beside it": {
    files: { "ci/verify.py": "from values import wanted\n", "ci/values.py": "old\n" },
    edits: { "ci/values.py": "new\n" },
    lines: ["python3 -W error ci/verify.py"],
  },
  "what such a program starts": {
    files: { "ci/all.js": 'spawnSync("node", ["checks/price.js"]);\n', "checks/price.js": "old\n" },
    edits: { "checks/price.js": "new\n" },
    lines: ["timeout 60 ./ci/all.js"],
  },
};

test.each(Object.entries(JUDGES))("[A-26] the old tests sit with %s as it was, too", async (_what, asked) => {
  expect(await doubtsOf(asked)).toEqual(Object.keys(asked.edits));
});

test.each([
  [".mocharc.json", '{"file": ["./quality/hooks.js"]}\n', "quality/hooks.js"],
  ["pytest.ini", "[pytest]\naddopts = -p quality.values\n", "quality/values.py"],
  ["package.json", '{"mocha": {"file": ["quality/hooks.js"]}}\n', "quality/hooks.js"],
])("[A-26] the old tests sit with what %s names as it was, too", async (settings, text, path) => {
  expect(await doubtsOf({ files: { [settings]: text, [path]: "old\n" }, edits: { [path]: "new\n" } })).toEqual([path]);
});

test("sources that commands lint, build or run as the product sit only as they are now", async () => {
  const files = {
    Makefile: "SRCS = shop/index.js\nall:\n\tesbuild shop/index.js\n\tnode shop/cli.js --version\n",
    "shop/cli.js": 'import "./index.js";\n',
    "shop/index.js": 'import "./price.js";\n',
    "tests/price.test.js": 'import "../shop/index.js";\n',
  };
  const edits = { "shop/index.js": "new\n" };
  expect(await doubtsOf({ files, edits, lines: ["make", "eslint shop/index.js", "node --test"] })).toEqual([]);
});
