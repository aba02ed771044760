import { runMutants } from "../conformance/break-run.ts";
import { allMutants } from "./all.ts";

/** `node test/breaks/try.ts R-02 …` prints for each rule whether its tests notice that it is missing. */
const mutants = await allMutants();
const orders = process.argv.slice(2).flatMap((id) => {
  const change = mutants[id];
  if (!change) console.log(`${id}: no break is written for it`);
  return change ? [{ id, change }] : [];
});
await runMutants(orders, ({ id, noticed, why, ms }) => {
  console.log(`${id}: ${noticed ? "noticed by" : "NOT NOTICED:"} ${why} (${ms} ms)`);
});
