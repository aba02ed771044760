import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { resolveWithin } from "../resolve-within.ts";
import { toObject } from "../to-object.ts";
import { createInvalidParamsError, createNotFoundError } from "./peer.ts";

/** Serves the agent's file requests, within its folder only. */
export function createClientFiles(folder: string) {
  return {
    read(params: unknown): { content: string } {
      const { line, limit } = toObject(params);
      const path = requireText(params, "path");
      const file = resolveInside(folder, path);
      // Programs test for existence by reading, and treat any other error as a failure.
      if (!existsSync(file)) throw createNotFoundError(path);
      const text = readFileSync(file, "utf8");
      if (typeof line !== "number" && typeof limit !== "number") return { content: text };
      const first = Math.max((typeof line === "number" ? line : 1) - 1, 0);
      const lines = text.split("\n");
      return { content: lines.slice(first, first + (typeof limit === "number" ? limit : lines.length)).join("\n") };
    },
    write(params: unknown): Record<string, never> {
      const [path, content] = [requireText(params, "path"), requireText(params, "content")];
      const file = resolveInside(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return {};
    },
  };
}

function resolveInside(folder: string, path: string): string {
  const inside = resolveWithin(folder, path);
  if (inside === undefined) throw createInvalidParamsError("outside the folder of this attempt", { path });
  return inside;
}

function requireText(params: unknown, name: string): string {
  const text = toObject(params)[name];
  if (typeof text === "string") return text;
  throw createInvalidParamsError(`${name} is not a string`);
}
