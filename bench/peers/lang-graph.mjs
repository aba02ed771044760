// LangGraph's functional API with its SQLite checkpointer: tasks of an entrypoint, each stored before the next begins.
// Reads { runs, steps } from each line of its input and answers with steps per second.
import { createInterface } from "node:readline";
import { entrypoint, task } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

const payload = JSON.parse(process.argv[2]);
const checkpointer = SqliteSaver.fromConnString("lang-graph.db");
const effect = task("effect", async () => payload);
const workflow = entrypoint({ name: "steps", checkpointer }, async (steps) => {
  for (let n = 0; n < steps; n += 1) await effect(n);
  return null;
});
await once(1);
// 2 is FULL: on the disk at every commit. 1 is NORMAL: on the disk after the next checkpoint of the file.
const synced = Number(checkpointer.db.pragma("synchronous", { simple: true })) >= 2;
console.log(synced ? "a sync per write" : "without a sync per step: a power failure takes the last ones");

for await (const line of createInterface({ input: process.stdin })) {
  const { runs, steps } = JSON.parse(line);
  const from = performance.now();
  await Promise.all(Array.from({ length: runs }, () => once(steps)));
  console.log((runs * steps * 1_000) / (performance.now() - from));
}
process.exit(0);

function once(steps) {
  const thread_id = crypto.randomUUID();
  return workflow.invoke(steps, { configurable: { thread_id }, durability: "sync" });
}
