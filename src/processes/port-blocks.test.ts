import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createPortBlocks } from "./port-blocks.ts";

const MODULE = fileURLToPath(new URL("./port-blocks.ts", import.meta.url));
/** Outside the range that real runs on this machine use. */
const range = (first: number, blocks: number) => ({ first, blocks, size: 4 });

describe("a block of ports", () => {
  it("is never given to two holders at once", async () => {
    const blocks = createPortBlocks(range(31_000, 20));
    const taken = await Promise.all(Array.from({ length: 20 }, (_block, index) => blocks.take(`attempt ${index}`)));
    const bases = taken.map((block) => block?.base ?? 0);
    expect(new Set(bases).size).toBe(20);
    for (const base of bases) expect((base - 31_000) % 4).toBe(0);
    expect(await blocks.take("one more")).toBeUndefined();
    for (const block of taken) block?.release();
  });

  it("is the same for the same request, once it is free again", async () => {
    const blocks = createPortBlocks(range(31_100, 20));
    const first = await blocks.take("r1/1 Work/a@1");
    first?.release();
    first?.release();
    const second = await blocks.take("r1/1 Work/a@1");
    expect(second?.base).toBe(first?.base);
    second?.release();
  });

  it("with a port in use is skipped", async () => {
    const blocks = createPortBlocks(range(31_200, 2));
    const server = createServer().listen(31_203, "127.0.0.1");
    await once(server, "listening");
    const block = await blocks.take("a");
    expect(block?.base).toBe(31_204);
    expect(await blocks.take("b")).toBeUndefined();
    block?.release();
    server.close();
  });

  it("of another process is reserved until that process is gone, however it ends", async () => {
    const program = `import { createPortBlocks } from ${JSON.stringify(MODULE)};
      const block = await createPortBlocks(${JSON.stringify(range(31_300, 1))}).take("theirs");
      console.log(block.base);
      setInterval(() => undefined, 60_000);`;
    const other = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = await once(other.stdout, "data");
    expect(String(said).trim()).toBe("31300");
    const blocks = createPortBlocks(range(31_300, 1));
    expect(await blocks.take("ours")).toBeUndefined();
    other.kill("SIGKILL");
    await once(other, "close");
    const block = await blocks.take("ours");
    expect(block?.base).toBe(31_300);
    block?.release();
  });
});
