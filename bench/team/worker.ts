import { createRealWorld } from "../../src/cli/real-world.ts";
import { createDbosHost } from "../../src/hosts/dbos/host.ts";
import { engineOn } from "../steps.ts";

// A worker in its own process: `node worker.ts URL CONCURRENCY MILLISECONDS`, where the last is the duration of a
// step. It serves until its standard input ends.
const [url = "", concurrency = "1", takes = "0"] = process.argv.slice(2);
const host = await createDbosHost({ url, world: createRealWorld(), concurrency: Number(concurrency) });
await engineOn(host, Number(takes));
process.stdout.write("serving\n");
for await (const _ of process.stdin);
await host.close();
