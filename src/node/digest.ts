import { createHash } from "node:crypto";

export function sha256(content: string | NodeJS.ArrayBufferView): string {
  return createHash("sha256").update(content).digest("hex");
}
