import { join } from "node:path";
import { readOutside } from "../../node/outside-file.ts";
import type { GitStore } from "../repository/git-store.ts";

const MOST_BYTES = 1024 * 1024;

/** The user's objects, and those that they borrow themselves. */
export async function listBorrowedObjects({ repository }: GitStore): Promise<readonly string[]> {
  const { objects } = repository;
  const read = readOutside(join(objects, "info", "alternates"), MOST_BYTES);
  const further = read.ok ? read.text.split("\n").filter((line) => line.startsWith("/")) : [];
  return [objects, ...further];
}
