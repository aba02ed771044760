#!/usr/bin/env node
// Plain JavaScript on purpose: it must at least say what is missing on any Node.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const NEEDED = 24;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

if (Number(process.versions.node.split(".")[0]) >= NEEDED) {
  // Sources are stripped of their types and compiled once, not at every start.
  nodeModule.enableCompileCache();
  const built = here("../dist/cli/main.js");
  await import(existsSync(built) && !existsSync(here("../src")) ? built : here("../src/cli/main.ts"));
} else {
  const pinned = here("../node_modules/.bin/node");
  if (existsSync(pinned)) {
    const child = spawn(pinned, process.argv.slice(1), { stdio: "inherit" });
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
