// Builds the dashboard into dist/web, and the report that opens from disk beside it.
// `--if-changed` does nothing where the last build was made from the same files.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { digest } from "./digest.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "dist/web");
const stamp = join(root, "node_modules/.cache/signalbox/web-build");

const made = digest(["web", "src/views", "src/core/text", "scripts/web.mjs", "package-lock.json"]);
const fresh = existsSync(join(out, "report.html")) && existsSync(stamp) && readFileSync(stamp, "utf8") === made;
if (!(process.argv.includes("--if-changed") && fresh)) {
  await build();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, made);
}

async function build() {
  // Whoever builds, a test too, builds what users get.
  process.env.NODE_ENV = "production";
  // Loaded here: a build that is not needed must not wait for it.
  const vite = await import("vite");
  const common = {
    root: join(root, "web"),
    configFile: false,
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic" } },
  };
  const checks = { pluginTimings: false };
  rmSync(out, { recursive: true, force: true });
  await vite.build({
    ...common,
    worker: { format: "es" },
    build: {
      outDir: out,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { checks },
    },
  });
  const bundle = await vite.build({
    ...common,
    publicDir: false,
    build: {
      write: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      cssCodeSplit: false,
      rolldownOptions: {
        checks,
        input: join(root, "web/report.tsx"),
        output: { format: "iife", codeSplitting: false },
      },
    },
  });
  writeFileSync(join(out, "report.html"), reportPage([bundle].flat()[0].output));
}

/** Program and style inside the page: it is opened from disk, where nothing else can be loaded. */
function reportPage(files) {
  const program = files.find((file) => file.type === "chunk").code;
  const style = files.find((file) => file.fileName.endsWith(".css")).source;
  return readFileSync(join(root, "web/report.html"), "utf8")
    .replace('<style id="style"></style>', () => `<style>${String(style).replaceAll("</", "<\\/")}</style>`)
    .replace('<script id="program"></script>', () => `<script>${program.replaceAll("</", "<\\/")}</script>`);
}
