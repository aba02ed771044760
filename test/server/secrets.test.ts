import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { DispatchRow, RunPage } from "../../src/views/page/page.ts";
import { makeScene } from "../cli/scene.ts";
import { ENVIRONMENT, formsOf, needles, PLANTED } from "../security/planted.ts";
import { served } from "./served.ts";

const PAYLOAD = PLANTED.flatMap((each) => formsOf(each).map((form) => `using ${form} now, "k": "${form}"`)).join("\n");

test("60 secrets that agents and checks print in every form are in no response of the server", {
  timeout: 180_000,
}, async () => {
  const scene = makeScene({ env: { ...ENVIRONMENT, SIGNALBOX_SANDBOX: "off" } });
  const payload = scene.put("../payload.txt", PAYLOAD);
  scene.put("README.md", `# here\n\n${PAYLOAD}\n`);
  scene.put(".signalbox/config.yaml", `commands:\n  build: cat ${payload}\n`);
  scene.git("add", "-f", ".");
  scene.git("commit", "-qm", "begin");
  const writer = {
    role: "writer",
    do: [{ run: `cat ${payload}; cat ${payload} > a.txt; cat ${payload} >> README.md` }],
    output: { summary: PAYLOAD },
  };
  writeFileSync(scene.agents, stringify({ agents: [writer] }));
  const request = scene.put("../input.json", JSON.stringify({ request: `Greet. ${PAYLOAD}`, finish: "ask" }));
  const ended = await scene.signalbox("run", "small", "--input", `@${request}`, "--agents", scene.agents, "--json");
  const asked = ended.events.find((event) => event.type === "approval.requested");
  const [run, id] = [String(asked?.["run"]), String(asked?.["approval"])];
  const page = await served(scene);
  const { rows, head } = (await page.get(`/api/runs/${run}`)) as unknown as RunPage;
  const dispatch = rows.find((row): row is DispatchRow => row.kind === "dispatch");
  const effect = encodeURIComponent(dispatch?.attempts[0]?.effect ?? "");
  const { repositories } = (await page.get("/api/home")) as { repositories: { id: string }[] };
  const of = `/api/runs/${run}`;
  const checks = rows.filter((row) => row.kind === "check").map(({ seq }) => `${of}/output?seq=${seq}`);
  const paths = [
    ...["/api/home", "/api/questions", `/api/questions/${id}`, of, `${of}/changes`, `${of}/events`, `${of}/cost`],
    ...[`${of}/transcript?effect=${effect}`, `${of}/prompt?effect=${effect}`, `${of}/diff`, `${of}/diff?path=a.txt`],
    ...[`${of}/contract?key=${encodeURIComponent(dispatch?.key ?? "")}&attempt=1`, ...checks],
    ...rows.flatMap((row) => (row.kind === "gate" ? [`${of}/gates?key=${encodeURIComponent(row.key)}`] : [])),
  ];
  const heard = new Map<string, string>();
  for (const path of paths) heard.set(path, JSON.stringify(await page.get(path)));
  for await (const line of page.lines(`/api/stream?run=${run}:0&home=1`)) {
    heard.set(`stream ${String(line["type"])}`, JSON.stringify(line));
    if (heard.has("stream page") && heard.has("stream home")) break;
  }
  for (const query of ["SELECT * FROM journal", "SELECT * FROM anvil_checks"])
    heard.set(query, (await page.post("/api/sql", { repository: repositories[0]?.id, query })).body);
  const refused = { choice: PAYLOAD.slice(0, 900), hash: "0".repeat(64) };
  heard.set("a refusal", (await page.post(`/api/questions/${id}/answer`, refused)).body);
  const hits = [...heard].flatMap(([where, text]) =>
    [...needles()].filter(([needle]) => text.includes(needle)).map(([, name]) => `${name} in ${where}`),
  );
  expect([...new Set(hits)]).toEqual([]);
  expect(heard.size).toBeGreaterThan(18);
  expect(head.run).toBe(run);
  await scene.signalbox("cancel", run);
});
