import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { placeInside } from "../inside.ts";
import { objectOf } from "../object-of.ts";
import { invalidParams, notFound } from "./peer.ts";

/** The files that an agent asks its client for; there are none outside its folder. */
export function clientFiles(folder: string) {
  return {
    read(params: unknown): { content: string } {
      const { line, limit } = objectOf(params);
      const path = textOf(params, "path");
      const file = place(folder, path);
      // Programs look whether a file exists by reading it, and take any other error for a failure.
      if (!existsSync(file)) throw notFound(path);
      const text = readFileSync(file, "utf8");
      if (typeof line !== "number" && typeof limit !== "number") return { content: text };
      const first = Math.max((typeof line === "number" ? line : 1) - 1, 0);
      const lines = text.split("\n");
      return { content: lines.slice(first, first + (typeof limit === "number" ? limit : lines.length)).join("\n") };
    },
    write(params: unknown): Record<string, never> {
      const [path, content] = [textOf(params, "path"), textOf(params, "content")];
      const file = place(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return {};
    },
  };
}

function place(folder: string, path: string): string {
  const inside = placeInside(folder, path);
  if (inside === undefined) throw invalidParams("outside the folder of this attempt", { path });
  return inside;
}

function textOf(params: unknown, name: string): string {
  const text = objectOf(params)[name];
  if (typeof text === "string") return text;
  throw invalidParams(`${name} is no text`);
}
