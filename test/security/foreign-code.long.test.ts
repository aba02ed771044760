import { existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lastEvent, makeScene, type Scene } from "../cli/scene.ts";

const PIPELINE = ".signalbox/pipelines/small.ts";

/** Leaves a mark when it runs, in any kind of module. */
const createCanary = (scene: Scene): string =>
  `(process.getBuiltinModule("node:fs")).writeFileSync(${JSON.stringify(getMarkFile(scene))}, "ran");`;
const getMarkFile = (scene: Scene): string => join(scene.repo, "../it-ran");

type ForeignCodeCase = {
  readonly title: string;
  /** The content of the pipeline's file. */
  readonly code: (scene: Scene) => string;
  /** Makes the file refer to outside code; runs after trust is given. */
  readonly bring?: (scene: Scene) => void;
  /** Text that the refusal contains. */
  readonly names: string | RegExp;
};

const writeOutsideModule = (scene: Scene): void =>
  void scene.put("lib/evil.mjs", `${createCanary(scene)}\nexport const x = 1;\n`);
const writePackage = (scene: Scene): void => {
  scene.put("node_modules/evil/package.json", '{ "name": "evil", "main": "index.cjs" }\n');
  scene.put("node_modules/evil/index.cjs", createCanary(scene));
};
const importDynamically = (specifier: string): string => `await import(${specifier});`;

const WAYS: readonly ForeignCodeCase[] = [
  { title: "a name that package.json imports", code: () => 'import "#evil";', names: "#evil" },
  { title: "a name that package.json exports", code: () => 'import "self/evil";', names: "self/evil" },
  { title: "a relative path", code: () => 'import "../../lib/evil.mjs";', names: "../../lib/evil.mjs" },
  { title: "an absolute path", code: ({ repo }) => `import "${repo}/lib/evil.mjs";`, names: "lib/evil.mjs" },
  { title: "a file URL", code: ({ repo }) => `import "file://${repo}/lib/evil.mjs";`, names: "lib/evil.mjs" },
  {
    title: "a data URL",
    code: (scene) => `import "data:text/javascript,${encodeURIComponent(createCanary(scene))}";`,
    names: "data:",
  },
  { title: "an installed package", code: () => 'import "evil";', names: "npm install --prefix .signalbox/pipelines" },
  {
    title: "a specifier computed at run time",
    code: () => importDynamically('["..", "..", "lib", "evil.mjs"].join("/")'),
    names: "lib/evil.mjs",
  },
  {
    title: "its own require function",
    code: () =>
      'process.getBuiltinModule("node:module").createRequire(import.meta.url)("../../node_modules/evil/index.cjs");',
    names: "evil/index.cjs",
  },
  {
    title: "a require function created for another path",
    code: ({ repo }) => `process.getBuiltinModule("node:module").createRequire("${repo}/lib/x.js")("./evil.mjs");`,
    names: "lib/evil.mjs",
  },
  {
    title: "the module that creates require functions",
    code: () => 'import { createRequire } from "node:module"; createRequire("/")("x");',
    names: "node:module",
  },
  {
    title: "a child process",
    code: () => 'import { execFileSync } from "node:child_process"; execFileSync("node", ["lib/evil.mjs"]);',
    names: "node:child_process",
  },
  {
    title: "a worker thread",
    code: () => 'import { Worker } from "worker_threads"; new Worker("./lib/evil.mjs");',
    names: "worker_threads",
  },
  { title: "another context", code: () => 'import "vm";', names: "vm" },
  { title: "data", code: () => 'import x from "../../lib/x.json" with { type: "json" };', names: "lib/x.json" },
  {
    title: "a linked folder",
    code: () => 'import "./lib/evil.mjs";',
    bring: ({ repo }) => symlinkSync("../../lib", join(repo, ".signalbox/pipelines/lib")),
    names: "lib/evil.mjs",
  },
  {
    title: "a name in an adjacent package.json",
    code: () => 'import "#evil";',
    bring: (scene) => scene.put(".signalbox/pipelines/package.json", '{ "imports": { "#evil": "evil" } }\n'),
    names: "#evil",
  },
];

function clone(): Scene {
  const scene = makeScene({ env: { SIGNALBOX_TRUST: "" } });
  scene.put(
    "package.json",
    '{ "name": "self", "imports": { "#evil": "./lib/evil.mjs" }, "exports": { "./evil": "./lib/evil.mjs" } }\n',
  );
  scene.put("tsconfig.json", '{ "compilerOptions": { "paths": { "evil": ["./lib/evil.mjs"] } } }\n');
  scene.put("lib/x.json", "{}\n");
  writeOutsideModule(scene);
  writePackage(scene);
  return scene;
}

const runSmall = (scene: Scene, ...more: readonly string[]) =>
  scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json", ...more);

describe("code from outside the trusted files", () => {
  test.for(WAYS)("[A-19] does not run through $title", async ({ code, bring, names }) => {
    const scene = clone();
    bring?.(scene);
    scene.put(".signalbox/pipelines/evil.ts", `${code(scene)}\nexport {};\n`);
    expect((await scene.signalbox("init", "--yes", "--json")).exit).toBe(0);
    const refused = await runSmall(scene);
    expect(existsSync(getMarkFile(scene))).toBe(false);
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)).toMatchObject({ type: "error", code: "PIPELINE_INVALID" });
    expect(`${lastEvent(refused)["message"]} ${lastEvent(refused)["hint"]}`).toMatch(names);
  });

  test("[A-19] does not run through a pipeline that is a link", async () => {
    const scene = clone();
    scene.put("lib/linked.ts", `import "./evil.mjs";\nexport {};\n`);
    symlinkSync("../../lib/linked.ts", join(scene.repo, ".signalbox/pipelines/evil.ts"));
    await scene.signalbox("init", "--yes", "--json");
    const refused = await runSmall(scene);
    expect(existsSync(getMarkFile(scene))).toBe(false);
    expect(lastEvent(refused)["message"]).toContain("is a link to");
  });

  test("[A-19] does not run through a pipelines folder that is a link", async () => {
    const scene = clone();
    scene.git("mv", ".signalbox/pipelines", "moved");
    mkdirSync(join(scene.repo, ".signalbox"), { recursive: true });
    symlinkSync("../moved", join(scene.repo, ".signalbox/pipelines"));
    await scene.signalbox("init", "--yes", "--json");
    expect(lastEvent(await runSmall(scene))["message"]).toContain("is a link to");
  });

  test("[A-19] requires trust again if the file was changed through a hard link", async () => {
    const scene = clone();
    await scene.signalbox("init", "--yes", "--json");
    linkSync(join(scene.repo, PIPELINE), join(scene.repo, "lib/second.ts"));
    writeFileSync(join(scene.repo, "lib/second.ts"), createCanary(scene));
    expect(lastEvent(await runSmall(scene))).toMatchObject({ code: "UNTRUSTED" });
    expect(existsSync(getMarkFile(scene))).toBe(false);
  });

  test("[A-19] does not run while a run is in progress either", async () => {
    const scene = clone();
    scene.put(
      ".signalbox/pipelines/late.ts",
      `import { definePipeline } from "signalbox";
import { z } from "zod";
export const late = definePipeline(
  { name: "late", about: "Imports late", version: 1, input: z.object({ request: z.string() }), dialect: "json", phases: [{ title: "1 Late" }] },
  async () => {
    await import(["..", "..", "lib", "evil.mjs"].join("/"));
    return { status: "done", confidence: "high" };
  },
);
`,
    );
    await scene.signalbox("init", "--yes", "--json");
    const ended = await scene.signalbox("run", "late", "x", "--agents", scene.agents, "--json");
    expect(existsSync(getMarkFile(scene))).toBe(false);
    expect(ended.exit).not.toBe(0);
  });
});

describe("code beside a pipeline", () => {
  test("runs: a file, data, an installed package", async () => {
    const scene = clone();
    scene.put(".signalbox/pipelines/lib/words.json", '["a"]\n');
    scene.put(".signalbox/pipelines/lib/near.ts", "export const near: number = 1;\n");
    scene.put(".signalbox/pipelines/node_modules/good/package.json", '{ "name": "good", "main": "index.js" }\n');
    scene.put(".signalbox/pipelines/node_modules/good/index.js", 'module.exports = require("./deep.js");\n');
    scene.put(".signalbox/pipelines/node_modules/good/deep.js", "module.exports = 2;\n");
    scene.put(
      ".signalbox/pipelines/both.ts",
      `import good from "good";
import { near } from "./lib/near.ts";
import words from "./lib/words.json" with { type: "json" };
import { readFileSync } from "node:fs";
if (good + near + words.length !== 4 || !readFileSync) throw new Error("not what lies there");
export { small } from "./small.ts";
`,
    );
    await scene.signalbox("init", "--yes", "--json");
    const ended = await runSmall(scene);
    expect(ended.exit, ended.out).toBe(0);
  });
});
