import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";
import { placeInside } from "../inside.ts";

type FileSlice = { readonly path: string; readonly line?: number | null; readonly limit?: number | null };

/** The files that an agent asks its client for; there are none outside its folder. */
export function clientFiles(folder: string) {
  return {
    read({ path, line, limit }: FileSlice): { content: string } {
      const file = place(folder, path);
      // Programs look whether a file exists by reading it, and take any other error for a failure.
      if (!existsSync(file)) throw RequestError.resourceNotFound(path);
      const text = readFileSync(file, "utf8");
      if (typeof line !== "number" && typeof limit !== "number") return { content: text };
      const first = Math.max((line ?? 1) - 1, 0);
      const lines = text.split("\n");
      return { content: lines.slice(first, first + (limit ?? lines.length)).join("\n") };
    },
    write({ path, content }: { readonly path: string; readonly content: string }): Record<string, never> {
      const file = place(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return {};
    },
  };
}

function place(folder: string, path: string): string {
  const inside = placeInside(folder, path);
  if (inside === undefined) throw RequestError.invalidParams({ path }, "outside the folder of this attempt");
  return inside;
}
