// Puts the built program into few files: Node takes longer to find and open its hundreds of modules than to run them.
// What is loaded by its own path (the package's doors, programs and threads of ours) stays there and leads to the new
// files. The doors share one copy of everything with the program; what is a process or a thread of its own is one file.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = resolve(process.argv[2] ?? join(root, "dist"));
const chunks = join(dist, "chunks");

const MAIN = "cli/main";
const DOORS = ["index", "authoring", "driver", "testing"];
const APART = [
  "drivers/acp/client",
  "drivers/claude/client",
  "drivers/scripted/agent",
  "engine/execute/checks/reading-thread",
  "surfaces/ask/reader",
];
/** What nearly every command needs. The other packages are loaded by the one command that uses them. */
const BROUGHT = ["commander", "yaml", "zod"];
/** What so many parts use is loaded by nearly every command: one file is opened sooner than a hundred. */
const SHARED_BY = 10;

rmSync(chunks, { recursive: true, force: true });
for (const path of APART) await bundle([path], { codeSplitting: false });
await bundle([MAIN, ...DOORS], { codeSplitting: { groups: groups() } });
leadThere();
copyPrompts();
for (const name of BROUGHT) licenceOf(name);
console.log(`${readdirSync(chunks).length} files in ${chunks}`);

async function bundle(paths, output) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const others = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !BROUGHT.includes(name));
  await build({
    root: dist,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    ssr: { noExternal: BROUGHT },
    plugins: [{ name: "own-place", enforce: "pre", transform: inItsPlace, resolveId: fromRoot }],
    build: {
      ssr: true,
      outDir: chunks,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        external: (id) => others.some((name) => isOf(name, id)),
        input: Object.fromEntries(paths.map((path) => [nameOf(path), join(dist, `${path}.js`)])),
        output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js", ...output },
      },
    },
  });
}

function groups() {
  const main = join(dist, `${MAIN}.js`);
  const atOnce = reachedFrom(main);
  // It waits for the command, which must not wait for it.
  atOnce.delete(main);
  return [
    // What comes before anything is known of the call: help needs no more.
    { name: "start", priority: 1, test: (id) => atOnce.has(id) },
    { name: "shared", minShareCount: SHARED_BY },
  ];
}

/** The modules that this one imports before it does anything. */
function reachedFrom(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path] of readFileSync(file, "utf8").matchAll(/^(?:import|export)\b[^;]*?"(\.{1,2}\/[^"]+)";/gm)) {
    reachedFrom(resolve(dirname(file), path), seen);
  }
  return seen;
}

/** A module goes on finding what lies beside it, wherever its code has gone. */
function inItsPlace(code, id) {
  if (!id.startsWith(dist) || !code.includes("import.meta.url")) return null;
  const own = `new URL(${JSON.stringify(`../${relative(dist, id)}`)}, import.meta.url).href`;
  return code.replaceAll("import.meta.url", own);
}

/** Wherever the build lies, the packages are ours. */
function fromRoot(source) {
  return BROUGHT.some((name) => isOf(name, source))
    ? this.resolve(source, join(root, "package.json"), { skipSelf: true })
    : null;
}

function isOf(name, id) {
  return id === name || id.startsWith(`${name}/`);
}

/** Takes away what is in the new files by now, and leads from the old places to them. */
function leadThere() {
  const loose = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".js"));
  for (const path of loose.filter((path) => !path.startsWith("chunks/"))) rmSync(join(dist, path));
  for (const path of [MAIN, ...DOORS, ...APART]) {
    const file = join(dist, `${path}.js`);
    const to = relative(dirname(file), join(chunks, `${nameOf(path)}.js`));
    writeFileSync(file, `export * from "${to.startsWith(".") ? to : `./${to}`}";\n`);
  }
}

function nameOf(path) {
  return path.replaceAll("/", "-");
}

/** Pipelines read their prompts at run time, relative to the module that a role is defined in. */
function copyPrompts() {
  const from = join(root, "src/pipelines");
  const prompts = readdirSync(from, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  for (const path of prompts) cpSync(join(from, path), join(dist, "pipelines", path));
}

/** Whoever hands on a package's code hands on its licence. */
function licenceOf(name) {
  const folder = join(root, "node_modules", name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence beside it`);
  mkdirSync(join(dist, "licences"), { recursive: true });
  cpSync(join(folder, file), join(dist, "licences", `${name}.txt`));
}
