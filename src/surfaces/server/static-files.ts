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

/** The built dashboard: what lies in its folder, and its page for every address that is no file. */
export async function staticFile(folder: string, path: string): Promise<Response | undefined> {
  const files = await filesIn(folder);
  // Looked up among what is there: no path is ever put together from what was asked.
  const file = files.get(path) ?? (isPage(path) ? files.get("/index.html") : undefined);
  if (file !== undefined) {
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    // Built files under `assets` are named by their content.
    const kept = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    return new Response(await readFile(file), { headers: { "content-type": type, "cache-control": kept } });
  }
  if (!isPage(path) || files.size > 0) return undefined;
  return new Response(UNBUILT, { headers: { "content-type": "text/html; charset=utf-8" } });
}

async function filesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join("/")}`, file]));
}

/** An address of the dashboard itself, as `/runs/…`: names of runs and gates may hold dots. */
function isPage(path: string): boolean {
  const [, first = "", ...rest] = path.split("/");
  return first === "" || (first !== "assets" && (rest.length > 0 || extname(first) === ""));
}

const UNBUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Signalbox</title>
<h1>The dashboard is not built</h1>
<p>The server runs. Build its page with <code>npm run build</code>, then load this again.</p>
</html>
`;
