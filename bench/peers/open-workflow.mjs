// OpenWorkflow as its documentation shows it: a worker in this process, steps of a workflow, a SQLite file.
// Reads { runs, steps } from each line of its input and answers with steps per second.
import { createInterface } from "node:readline";
import { OpenWorkflow } from "openworkflow";
import { BackendSqlite } from "openworkflow/sqlite";

const payload = JSON.parse(process.argv[2]);
const backend = BackendSqlite.connect("open-workflow.db");
const engine = new OpenWorkflow({ backend });
// Time from the first step to the last: an idle worker polls less and less often.
let [first, last] = [0, 0];
const workflow = engine.defineWorkflow({ name: "steps" }, async ({ input, step }) => {
  first ||= performance.now();
  for (let n = 0; n < input.steps; n += 1) await step.run({ name: `step-${n}` }, async () => payload);
  last = performance.now();
  return null;
});
const worker = engine.newWorker({ concurrency: 50 });
await worker.start();
console.log("a sync per write, at most 1,000 steps per run");

for await (const line of createInterface({ input: process.stdin })) {
  const { runs, steps } = JSON.parse(line);
  first = 0;
  const handles = await Promise.all(Array.from({ length: runs }, () => workflow.run({ steps })));
  for (const handle of handles) await handle.result();
  console.log((runs * steps * 1_000) / (last - first));
}
await worker.stop();
process.exit(0);
