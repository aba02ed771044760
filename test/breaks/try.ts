import { runBreaks } from "../conformance/break-run.ts";
import { allBreaks } from "./all.ts";

/** `node test/breaks/try.ts R-02 …`: says for each rule whether its tests notice that it is gone. */
const breaks = await allBreaks();
const orders = process.argv.slice(2).flatMap((id) => {
  const change = breaks[id];
  if (!change) console.log(`${id}: no break is written for it`);
  return change ? [{ id, change }] : [];
});
await runBreaks(orders, ({ id, noticed, why, ms }) => {
  console.log(`${id}: ${noticed ? "noticed by" : "NOT NOTICED:"} ${why} (${ms} ms)`);
});
