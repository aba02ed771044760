import fc from "fast-check";
import { expect, test } from "vitest";
import { run, type Scene, scene } from "../../../workspace/scene.suite.ts";
import { composeExam } from "./compose-exam.ts";

const NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

const manifest = fc
  .record(
    {
      scripts: fc.record({ test: fc.constantFrom("a", "b"), build: fc.constantFrom("a", "b") }, { requiredKeys: [] }),
      dependencies: fc.record({ x: fc.constantFrom("1", "2") }),
      jest: fc.record({ bail: fc.boolean() }),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value));
const rust = fc
  .tuple(fc.constantFrom("1", "2"), fc.constantFrom("", "1", "2"))
  .map(([code, body]) => `fn f() { ${code} }\n${body && `#[cfg(test)]\nmod tests { ${body} }\n`}`);
const toml = fc
  .tuple(fc.constantFrom("1", "2"), fc.constantFrom("", "1", "2"))
  .map(
    ([code, body]) => `[project]\nversion = "${code}"\n${body && `[tool.pytest.ini_options]\naddopts = "${body}"\n`}`,
  );
const imports = fc
  .constantFrom("", "./testing/render", "../src/testing/render", "../test/helper", "./a")
  .map((path) => `import "${path}";\n`);

/** Every path of them may be there or not, and a file may stand where another time a folder is. */
const files = fc
  .record(
    {
      "src/a.ts": imports,
      "src/b.ts": imports,
      "src/testing/render.ts": imports,
      "src/a.test.ts": imports,
      "test/helper.ts": imports,
      "test/a.test.ts": imports,
      "src/__snapshots__/a.snap": fc.constantFrom("1", "2"),
      "src/x": fc.constantFrom("1", "2"),
      "src/x/y.test.ts": fc.constantFrom("1", "2"),
      "vitest.config.ts": imports,
      "package-lock.json": fc.constantFrom("1", "2"),
      "package.json": fc.oneof(manifest, fc.constant("{")),
      "src/lib.rs": rust,
      "pyproject.toml": toml,
      "pom.xml": fc.constantFrom("1", "2"),
    },
    { requiredKeys: [] },
  )
  .map((all) => {
    const { "src/x": file, ...rest } = all;
    return "src/x/y.test.ts" in rest || file === undefined ? rest : { ...rest, "src/x": file };
  });

test("[A-26] [A-27] composed trees differ from the one only in exam paths, from the other only in code paths", async () => {
  const at = await scene();
  const property = fc.asyncProperty(files, files, async (before, after) => {
    const request = { old: await treeOf(at, before), new: await treeOf(at, after) };
    const made = await composeExam(at.workspace, request);
    const { oldOnNew = request.new, newOnOld = request.old, oldOnNewOldPackages = oldOnNew } = made;
    const beyond = (one: string, other: string, paths: readonly string[]) =>
      differing(at, one, other).filter((path) => !paths.includes(path));
    expect(beyond(oldOnNew, request.new, made.exam)).toEqual([]);
    expect(beyond(oldOnNew, request.old, made.code)).toEqual([]);
    expect(beyond(newOnOld, request.old, made.exam)).toEqual([]);
    expect(beyond(newOnOld, request.new, made.code)).toEqual([]);
    expect(
      beyond(oldOnNewOldPackages, oldOnNew, ["package.json", "package-lock.json", "pyproject.toml", "pom.xml"]),
    ).toEqual([]);
    expect(new Set([...made.exam, ...made.code])).toEqual(new Set(differing(at, request.old, request.new)));
    expect(await composeExam(at.workspace, request)).toEqual(made);
  });
  await fc.assert(property, { numRuns: 15 });
}, 300_000);

async function treeOf({ workspace }: Scene, all: Readonly<Record<string, string | undefined>>): Promise<string> {
  const rendered = Object.entries(all).map(([path, text = ""]) => ({ path, text }));
  return workspace.render(NOTHING, rendered);
}

function differing({ repo }: Scene, one: string, other: string): string[] {
  const out = run(repo, ["diff-tree", "-r", "--name-only", "--no-renames", one, other]);
  return out === "" ? [] : out.split("\n");
}
