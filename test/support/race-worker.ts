import { createDbosHost } from "../../src/hosts/dbos/host.ts";
import { createHeldWorld } from "../../src/hosts/suite/held-world.ts";

/** A worker in its own process that only prints the runs it was given: `node race-worker.ts <url>`. */
const [url = ""] = process.argv.slice(2);
const refuseToPerform = () => Promise.reject(new Error("nothing is performed here"));
const host = await createDbosHost({ url, world: createHeldWorld(), concurrency: 20 });
await host.serve({
  drive: async (run) => {
    process.stdout.write(`drive ${run}\n`);
    return { status: "done", exit: 0 };
  },
  perform: refuseToPerform,
  recover: refuseToPerform,
});
process.stdout.write("serving\n");
