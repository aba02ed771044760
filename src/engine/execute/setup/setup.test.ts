import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createRealWorld } from "../../../cli/real-world.ts";
import type { Command, SetupCommand } from "../../../core/journal/effect.ts";
import { runSetup } from "./setup.ts";

const root = mkdtempSync(join(tmpdir(), "signalbox-setup-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const world = createRealWorld({});
let cache = "";
beforeEach(() => {
  cache = mkdtempSync(join(root, "cache-"));
});

const bin = mkdtempSync(join(root, "bin-"));
/** Installs what the lock file names, and runs what npm would run of the tree. */
const NPM = `#!/bin/sh
mkdir node_modules && cp package-lock.json node_modules/pkg && chmod 755 node_modules/pkg
script=$(sed -n 's/.*"postinstall":"\\([^"]*\\)".*/\\1/p' package.json)
[ -z "$script" ] || sh -c "$script"
`;
writeFileSync(join(bin, "npm"), NPM, { mode: 0o755 });

const SETUP: SetupCommand = { run: "npm ci", lockFile: "package-lock.json" };
const LOCK = '{"lockfileVersion":3,"packages":{}}';
const FILES = { "package.json": "{}", "package-lock.json": LOCK, "src/a.js": "1\n" };
const PKG = "node_modules/pkg";

type Files = Readonly<Record<string, string>>;
type Scene = { readonly files?: Files; readonly setup?: SetupCommand; readonly keep?: boolean; readonly runs?: string };

/** A fresh checkout of a tree, which is set up by a shell. */
function checkout({ files = FILES, setup = SETUP, keep = false, runs = "/runs" }: Scene = {}) {
  const [dir, home] = [mkdtempSync(join(root, "checkout-")), mkdtempSync(join(root, "home-"))];
  for (const [path, text] of Object.entries(files)) put(dir, path, text);
  const tree = world.hash(JSON.stringify(files));
  let installs = 0;
  const run = async (command: Command) => {
    installs += 1;
    const env = { PATH: `${bin}${delimiter}${process.env["PATH"]}`, HOME: home };
    const { status } = spawnSync("sh", ["-c", command.run], { cwd: dir, env });
    return { name: command.name, command: command.run, exitCode: status, ms: 1, digest: "", snippet: "" };
  };
  return {
    dir,
    installs: () => installs,
    ready: () => runSetup({ dir, home, tree, setup, keep, cache, runs, world, run }),
    read: (path: string) => readFileSync(join(dir, path), "utf8"),
  };
}

function put(dir: string, path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

/** Set up one after the other: how often each had to be. */
async function installsOf(...scenes: readonly Scene[]): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const scene of scenes) {
    const each = checkout(scene);
    expect(await each.ready()).toEqual({});
    counts.push(each.installs());
  }
  return counts;
}

const base: Scene = { keep: true };
const edited = (more: Files): Scene => ({ files: { ...FILES, ...more } });
const entries = (): readonly string[] => readdirSync(join(cache, "setups"));
const kept = (...names: readonly string[]): string => join(cache, "setups", entries()[0] ?? "", ...names);

describe("[A-31] a set-up is kept for trees in which it would read and run the very same", () => {
  test("it is made once for the tree that people committed and for all that agents make of it", async () => {
    expect(await installsOf(base, edited({ "src/a.js": "2\n" }), base)).toEqual([1, 0, 0]);
  });

  test.each<[string, Scene]>([
    ["another lock file", edited({ "package-lock.json": `${LOCK}\n` })],
    ["another manifest", edited({ "package.json": '{"name":"x"}' })],
    ["a further manifest", edited({ "packages/a/package.json": "{}" })],
    ["settings", edited({ ".npmrc": "registry=https://x.example\n" })],
    ["a patch", edited({ "patches/pkg.patch": "x" })],
    ["another command", { setup: { ...SETUP, run: "npm ci --no-audit" } }],
    ["another repository", { runs: "/other" }],
  ])("%s is set up for itself", async (_what, other) => {
    expect(await installsOf(base, other, other)).toEqual([1, 1, 1]);
  });

  test("a line that runs the tree is kept for that very tree alone", async () => {
    const setup = { ...SETUP, run: "sh setup.sh" };
    const files = { ...FILES, "setup.sh": "mkdir node_modules && echo good > node_modules/pkg\n" };
    const other = { setup, files: { ...files, "src/a.js": "2\n" } };
    expect(await installsOf({ setup, files, keep: true }, { setup, files }, other)).toEqual([1, 0, 1]);
  });

  test.each<[string, Scene]>([
    ["without a lock file in the settings", { ...base, setup: { run: "npm ci" } }],
    ["without a lock file in the tree", { ...base, setup: { ...SETUP, lockFile: "yarn.lock" } }],
    [
      "a set-up that changes the tree's own files",
      { ...base, setup: { ...SETUP, run: "npm ci && echo 3 > src/a.js" } },
    ],
    ["a set-up that leaves modules in the home", { ...base, setup: { ...SETUP, run: 'npm ci && touch "$HOME/go"' } }],
    ["a set-up that makes nothing in the tree", { ...base, setup: { ...SETUP, run: "true" } }],
    ["a set-up that leaves a pipe", { ...base, setup: { ...SETUP, run: "npm ci && mkfifo node_modules/p" } }],
  ])("%s: nothing is kept", async (_what, scene) => {
    expect(await installsOf(scene, scene)).toEqual([1, 1]);
    expect(existsSync(join(cache, "setups")) ? entries() : []).toEqual([]);
  });

  test("a failed set-up is reported and not cached", async () => {
    const setup = { ...SETUP, run: "npm ci && exit 3" };
    expect(await checkout({ ...base, setup }).ready()).toMatchObject({ failed: { exitCode: 3 } });
    expect(existsSync(join(cache, "setups"))).toBe(false);
  });

  test("what is made deep in the tree is kept there, with modes and links as they were", async () => {
    const run =
      "npm ci && mkdir src/made && ln -s ../../package.json src/made/link && ln -s /etc/hostname src/made/out";
    const scene = { ...base, setup: { ...SETUP, run } };
    await checkout(scene).ready();
    const second = checkout(scene);
    await second.ready();
    expect(second.installs()).toBe(0);
    expect(readlinkSync(join(second.dir, "src/made/link"))).toBe("../../package.json");
    expect(lstatSync(join(second.dir, "src/made/out")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(second.dir, PKG)).mode & 0o777).toBe(0o755);
  });
});

describe("[A-31] no set-up is filled from a tree that an agent has written", () => {
  test("a refused attempt's changed script makes nothing green later", async () => {
    const setup = { ...SETUP, run: "sh setup.sh" };
    const good = { ...FILES, "setup.sh": "mkdir node_modules && echo good > node_modules/pkg\n" };
    const bad = { ...good, "setup.sh": "mkdir node_modules && echo poison > node_modules/pkg\n" };
    await checkout({ setup, files: bad }).ready();
    for (const files of [good, { ...good, "src/a.js": "2\n" }]) {
      const later = checkout({ setup, files });
      await later.ready();
      expect(later.read(PKG)).toBe("good\n");
    }
  });

  test("what a script after installing does stays with the tree that has it", async () => {
    const poison = '{"scripts":{"postinstall":"echo poison > node_modules/pkg"}}';
    await checkout(edited({ "package.json": poison })).ready();
    expect(await installsOf(base)).toEqual([1]);
    await checkout(edited({ "package.json": poison })).ready();
    const later = checkout(edited({ "src/a.js": "2\n" }));
    await later.ready();
    expect([later.installs(), later.read(PKG)]).toEqual([0, LOCK]);
  });

  test("its set-up is made afresh where the tree has what the kept one would bring, or a link on the way", async () => {
    const setup = { ...SETUP, run: "npm ci; mkdir -p src/made" };
    await checkout({ ...base, setup }).ready();
    const own = checkout({ files: { ...FILES, "node_modules/pkg": "the tree's own\n" }, setup });
    await own.ready();
    expect([own.installs(), own.read(PKG)]).toEqual([1, "the tree's own\n"]);
    await checkout(base).ready();
    const linked = checkout();
    symlinkSync(root, join(linked.dir, "node_modules"));
    await linked.ready();
    expect(linked.installs()).toBe(1);
    expect(existsSync(join(root, "pkg"))).toBe(false);
  });

  test("an input that is a link counts as the whole tree", async () => {
    const [first, linked] = [checkout(base), checkout()];
    await first.ready();
    writeFileSync(join(linked.dir, "other.json"), "{}");
    rmSync(join(linked.dir, "package.json"));
    symlinkSync("other.json", join(linked.dir, "package.json"));
    await linked.ready();
    expect(linked.installs()).toBe(1);
  });
});

describe("[A-31] a kept set-up is immutable", () => {
  test("a change of a check to its own copy reaches no other", async () => {
    const [first, second] = [checkout(base), checkout()];
    for (const each of [first, second]) await each.ready();
    for (const { dir } of [first, second]) writeFileSync(join(dir, PKG), "poison\n");
    const third = checkout();
    await third.ready();
    expect([third.installs(), third.read(PKG)]).toEqual([0, LOCK]);
  });

  test("its files cannot be written to, and its owner can still remove it", async () => {
    await checkout(base).ready();
    expect(lstatSync(kept("made", PKG)).mode & 0o222).toBe(0);
    expect(lstatSync(kept("made", "node_modules")).mode & 0o700).toBe(0o700);
  });

  const poison = (path: string, text: string): void => {
    rmSync(path, { force: true });
    writeFileSync(path, text);
  };
  test.each<[string, () => void]>([
    ["another text", () => poison(kept("made", PKG), "v2\n")],
    ["a missing file", () => rmSync(kept("made", PKG))],
    [
      "a link in place of a file",
      () => {
        poison(join(root, "elsewhere"), "poison\n");
        rmSync(kept("made", PKG));
        symlinkSync(join(root, "elsewhere"), kept("made", PKG));
      },
    ],
    [
      "a link in place of a folder",
      () => {
        rmSync(kept("made", "node_modules"), { recursive: true });
        symlinkSync(root, kept("made", "node_modules"));
      },
    ],
    [
      "a link in place of all of it",
      () => {
        const at = kept();
        execFileSync("mv", [at, join(cache, "moved")]);
        symlinkSync(join(cache, "moved"), at);
      },
    ],
    [
      "a manifest that was edited",
      () => {
        const at = kept("manifest.json");
        poison(at, readFileSync(at, "utf8").replaceAll(/"content":"\w/g, '"content":"0'));
      },
    ],
    ["a manifest that was cut short", () => poison(kept("manifest.json"), '{"made":')],
    ["no manifest", () => rmSync(kept("manifest.json"))],
  ])("%s is told in a sentence, and the set-up made afresh and kept again", async (_what, change) => {
    await checkout(base).ready();
    change();
    const second = checkout(base);
    expect(await second.ready()).toEqual({ told: expect.stringContaining("made again") });
    expect([second.installs(), second.read(PKG)]).toEqual([1, LOCK]);
    const third = checkout();
    expect(await third.ready()).toEqual({});
    expect([third.installs(), third.read(PKG)]).toEqual([0, LOCK]);
  });

  test("an entry added to a cached set-up is never copied", async () => {
    const [first, second] = [checkout(base), checkout()];
    await first.ready();
    writeFileSync(kept("made", "node_modules", "more"), "poison\n");
    await second.ready();
    expect(readdirSync(join(second.dir, "node_modules"))).toEqual(["pkg"]);
  });

  test("through a link in place of the folder of all of them nothing is kept or handed out", async () => {
    await checkout(base).ready();
    execFileSync("mv", [join(cache, "setups"), join(cache, "moved")]);
    symlinkSync(join(cache, "moved"), join(cache, "setups"));
    const second = checkout(base);
    expect(await second.ready()).toEqual({ told: expect.stringContaining("is a link") });
    expect(second.installs()).toBe(1);
  });

  test("of several checkouts that are set up at once one is kept, whole, and a half-written one is none", async () => {
    const all = Array.from({ length: 8 }, () => checkout(base));
    await Promise.all(all.map((each) => each.ready()));
    expect(entries()).toHaveLength(1);
    mkdirSync(`${kept()}.half/made/node_modules`, { recursive: true });
    expect(await installsOf({})).toEqual([0]);
  });

  test("two runs at once, one of them with a poisoned tree: each has its own", async () => {
    const setup = { ...SETUP, run: "sh setup.sh" };
    const of = (word: string): Scene => ({
      setup,
      files: { ...FILES, "setup.sh": `mkdir node_modules && echo ${word} > node_modules/pkg\n` },
      keep: word === "good",
    });
    const both = ["good", "poison", "good", "poison"].map((word) => ({ word, at: checkout(of(word)) }));
    await Promise.all(both.map(({ at }) => at.ready()));
    for (const { word, at } of both) expect(at.read(PKG)).toBe(`${word}\n`);
    const later = checkout({ ...of("good"), keep: false });
    await later.ready();
    expect([later.installs(), later.read(PKG)]).toEqual([0, "good\n"]);
  });
});

describe("an environment of Python's that is copied", () => {
  const run = `mkdir -p .venv/bin .venv/lib && printf 'home = /usr/bin\\n' > .venv/pyvenv.cfg
printf '#!%s/.venv/bin/python\\nprint(1)\\n' "$PWD" > .venv/bin/pytest && chmod 755 .venv/bin/pytest
printf '%s/src\\n' "$PWD" > .venv/lib/x.pth && printf '%s\\n' "$PWD" > .venv/lib/data.txt && chmod 444 .venv/lib/x.pth`;
  const scene: Scene = { keep: true, setup: { run, lockFile: "package-lock.json" } };

  test("leads to the folder of the copy, and nothing else of it is touched", async () => {
    const [first, second] = [checkout(scene), checkout(scene)];
    await first.ready();
    expect(await second.ready()).toEqual({});
    expect(second.installs()).toBe(0);
    expect(second.read(".venv/bin/pytest")).toBe(`#!${second.dir}/.venv/bin/python\nprint(1)\n`);
    expect(second.read(".venv/lib/x.pth")).toBe(`${second.dir}/src\n`);
    expect(second.read(".venv/lib/data.txt")).toBe(`${first.dir}\n`);
    expect(lstatSync(join(second.dir, ".venv/bin/pytest")).mode & 0o777).toBe(0o755);
  });
});

test("a part that fails keeps no other part from being prepared, and is named", async () => {
  const setup = { run: "uv sync && npm ci" };
  writeFileSync(join(bin, "uv"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
  const at = checkout({ setup });
  expect(await at.ready()).toMatchObject({ lacking: [{ part: { run: "uv sync" }, done: { exitCode: 3 } }] });
  expect(at.read(PKG)).toBe(LOCK);
  writeFileSync(join(bin, "poetry"), "#!/bin/sh\nexit 4\n", { mode: 0o755 });
  const none = checkout({ setup: { run: "uv sync && poetry install" } });
  expect(await none.ready()).toMatchObject({ failed: { exitCode: 3 } });
});
