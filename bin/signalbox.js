#!/usr/bin/env node
// Plain JavaScript on purpose: it must at least say what is missing on any Node.
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const NEEDED = 24;
const LAUNCHER = "SIGNALBOX_LAUNCHER";
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

if (Number(process.versions.node.split(".")[0]) >= NEEDED) {
  dieWithLauncher();
  // Sources are stripped of their types and compiled once, not at every start.
  nodeModule.enableCompileCache();
  const built = here("../dist/cli/main.js");
  // A package has sources of pipelines too, but not the program's.
  const source = here("../src/cli/main.ts");
  await import(existsSync(built) && !existsSync(source) ? built : source);
} else {
  const pinned = here("../node_modules/.bin/node");
  if (existsSync(pinned)) {
    const { spawn } = await import("node:child_process");
    const env = { ...process.env, [LAUNCHER]: String(process.pid) };
    const child = spawn(pinned, process.argv.slice(1), { env, stdio: ["inherit", "inherit", "inherit", "ipc"] });
    // A terminal sends Ctrl-C to both of us; it must not arrive twice, because twice means at once.
    process.on("SIGINT", () => {});
    for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));
  } else {
    console.error(`signalbox needs Node ${NEEDED} or newer; this is ${process.version}.`);
    console.error("Install a newer Node, or run `npm ci` in a clone of signalbox, which brings its own.");
    process.exit(4);
  }
}

/** Whoever kills the process that was started means all of it: under an older Node that is only our launcher. */
function dieWithLauncher() {
  const launcher = process.env[LAUNCHER];
  delete process.env[LAUNCHER];
  if (launcher === undefined || !process.channel) return;
  const die = () => process.kill(process.pid, "SIGKILL");
  if (launcher !== String(process.ppid)) die();
  process.once("disconnect", die);
  // The listener would keep the program from ending by itself.
  process.channel.unref();
}
