import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".map": "application/json; charset=utf-8",
};

/** Serves a file of the built dashboard, or its page for every path that is not a file. */
export async function serveStaticFile(folder: string, path: string): Promise<Response | undefined> {
  const files = await listFiles(folder);
  // The path is looked up in the list of existing files and never joined to the folder, which prevents path traversal.
  const file = files.get(path) ?? (isPage(path) ? files.get("/index.html") : undefined);
  if (file !== undefined) {
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    // File names under `assets` contain a content hash.
    const cacheControl = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    return new Response(await readFile(file), { headers: { "content-type": type, "cache-control": cacheControl } });
  }
  if (!isPage(path) || files.size > 0) return undefined;
  return new Response(UNBUILT, { headers: { "content-type": "text/html; charset=utf-8" } });
}

async function listFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join("/")}`, file]));
}

/**
 * Returns whether the path is a route of the dashboard, such as `/runs/…`. Names of runs and gates may contain dots.
 */
function isPage(path: string): boolean {
  const [, first = "", ...rest] = path.split("/");
  return first === "" || (first !== "assets" && (rest.length > 0 || extname(first) === ""));
}

const UNBUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Signalbox</title>
<h1>The dashboard is not built</h1>
<p>The server is running. Build the dashboard with <code>npm run build</code>, then reload this page.</p>
</html>
`;
