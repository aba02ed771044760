import { expect, test } from "vitest";
import { run, scene } from "../../../workspace/scene.suite.ts";
import { composeExam } from "./compose-exam.ts";

type Files = Readonly<Record<string, string>>;
const BASE: Files = {
  "src/slug.js": "1\n",
  "test/slug.test.js": 'import agree from "agree";\nimport "../src/slug.js";\n',
  "till/__init__.py": "",
  "till/price.py": "1\n",
  "tests/test_price.py": "from till.price import x\n",
};

async function examine(files: Files, edits: Files) {
  const at = await scene({ ...BASE, ...files });
  const texts = Object.entries(edits).map(([path, text]) => ({ path, text }));
  const now = await at.workspace.render(at.tree, texts);
  const made = await composeExam(at.workspace, { old: at.tree, new: now });
  const listed = (tree = "") => (tree === "" ? [] : run(at.repo, ["ls-tree", "-r", "--name-only", tree]).split("\n"));
  return { made, oldOnNew: listed(made.oldOnNew), newOnOld: listed(made.newOnOld) };
}

const AGREE: Files = {
  "node_modules/agree/package.json": '{ "exports": "./index.js" }\n',
  "node_modules/agree/index.js": 'import near from "near";\n',
  "node_modules/near/index.js": "old\n",
  "node_modules/left/index.js": "old\n",
  "src/main.js": 'import left from "left";\n',
};

test("[A-26] a package in the repository that only tests use is the exam, with its manifest and what it uses", async () => {
  const edits = {
    "node_modules/agree/package.json": '{ "exports": "./lax.js" }\n',
    "node_modules/agree/lax.js": "new\n",
    "node_modules/left/index.js": "new\n",
    "node_modules/near/index.js": "new\n",
  };
  const { made, oldOnNew } = await examine(AGREE, edits);
  const { "node_modules/left/index.js": _code, ...exam } = edits;
  expect(made).toMatchObject({ code: ["node_modules/left/index.js"], inseparable: [] });
  expect(made.exam).toEqual(Object.keys(exam).sort());
  expect(oldOnNew).not.toContain("node_modules/agree/lax.js");
});

test("a package that the change adds with the code that uses it is code", async () => {
  const edits = { "src/slug.js": 'import "left";\n', "node_modules/left/index.js": "new\n" };
  const { made } = await examine({}, edits);
  expect(made).toMatchObject({ exam: [], code: Object.keys(edits).sort(), inseparable: [] });
});

test("[A-26] a new package that only the search for tests loads is not beside the old tests, nor among the new ones", async () => {
  const edits = {
    "till/price.py": "2\n",
    "compat/__init__.py": "import till.price\n",
    "till/cli.py": "import compat\n",
  };
  const { made, oldOnNew } = await examine({}, edits);
  expect(made).toMatchObject({ exam: ["compat/__init__.py"], code: Object.keys(edits).sort() });
  expect(oldOnNew).toContain("till/cli.py");
  expect(oldOnNew).not.toContain("compat/__init__.py");
  expect(made.newOnOld).toBeUndefined();
});

test("a new package that code uses which was there before is code", async () => {
  const edits = { "till/price.py": "from shop import y\n", "shop/__init__.py": "y = 1\n" };
  const { made } = await examine({}, edits);
  expect(made).toMatchObject({ exam: [], code: Object.keys(edits).sort() });
});

test("a package of the sources is code, whoever imports only modules of it", async () => {
  const { made } = await examine({}, { "till/__init__.py": "from .price import x\n" });
  expect(made).toMatchObject({ exam: [], code: ["till/__init__.py"] });
});
