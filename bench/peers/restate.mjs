// Restate as its documentation shows it: its server beside this process, steps of a workflow that it calls over HTTP/2.
// Reads { runs, steps } from each line of its input and answers with steps per second.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http2";
import { createServer as createProbe } from "node:net";
import { createInterface } from "node:readline";
import * as restate from "@restatedev/restate-sdk";

const payload = JSON.parse(process.argv[2]);
const steps = restate.workflow({
  name: "steps",
  handlers: {
    run: async (context, count) => {
      for (let n = 0; n < count; n += 1) await context.run(`step-${n}`, () => payload);
      return null;
    },
  },
});
const [ingress, admin, fabric] = await Promise.all([freePort(), freePort(), freePort()]);
// Starts the program itself: the script that npm links does not forward signals.
const binary = `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;
const server = spawn(binary, ["--no-logo", "--base-dir", "restate-data"], {
  env: {
    ...process.env,
    RESTATE_LISTEN_MODE: "tcp",
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_BIND_ADDRESS: `127.0.0.1:${fabric}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${fabric}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
  },
  stdio: "ignore",
});
process.once("exit", () => server.kill());
const service = createServer(restate.createEndpointHandler({ services: [steps], logger: () => {} }));
service.listen(0, "127.0.0.1");
await once(service, "listening");
const deployment = { uri: `http://127.0.0.1:${service.address().port}` };
await untilTaken(() => post(`http://127.0.0.1:${admin}/deployments`, deployment));
await untilTaken(() => play(1));
console.log("a sync per write");

for await (const line of createInterface({ input: process.stdin })) {
  const { runs, steps: count } = JSON.parse(line);
  const from = performance.now();
  await Promise.all(Array.from({ length: runs }, () => play(count)));
  console.log((runs * count * 1_000) / (performance.now() - from));
}
process.exit(0);

function play(count) {
  return post(`http://127.0.0.1:${ingress}/steps/${crypto.randomUUID()}/run`, count);
}

async function post(url, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Retries, because a starting server refuses calls for some seconds. */
async function untilTaken(call) {
  for (const end = Date.now() + 60_000; ; ) {
    try {
      return await call();
    } catch (error) {
      if (Date.now() > end || server.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function freePort() {
  const probe = createProbe().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  return port;
}
