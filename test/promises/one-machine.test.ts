import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTestReport } from "../../src/core/checks/reports/test-report.ts";
import { lastEvent, makeScene } from "../cli/scene.ts";
import { makeWitness } from "../cli/witness.ts";
import { receiverServer } from "../support/receiver.ts";

test("[A-10] [U-01] [U-11] a run asks, a webhook reports it, an answer resumes it, and land brings the commit to the branch", async () => {
  const receiver = await receiverServer();
  try {
    const scene = makeScene({ env: { TEAM_CHAT: receiver.url } });
    scene.put(".signalbox/config.yaml", "notify: { webhooks: [{ url-env: TEAM_CHAT }] }\n");
    const asked = await scene.signalbox(
      ...["run", "small", "x", "--input", "finish=ask", "--agents", scene.agents, "--json"],
    );
    expect(lastEvent(asked)).toMatchObject({ type: "run.suspended", status: "waiting", exit: 3 });
    const approval = String(asked.events.find(({ type }) => type === "approval.requested")?.["approval"]);
    const { run } = lastEvent(asked);
    await receiver.count(1);
    expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({ event: "waiting", run, title: "Keep it?" });

    const answered = await scene.signalbox("approve", approval, "--choose", "keep", "--resume", "--json");
    expect(lastEvent(answered)).toMatchObject({ type: "run.finished", status: "done", exit: 0 });
    const landed = JSON.parse((await scene.signalbox("land", String(run), "--json")).out);
    expect(landed).toMatchObject({ status: "landed", branch: "main", paths: ["a.txt"] });
    expect(readFileSync(join(scene.repo, "a.txt"), "utf8")).toBe("written\n");
    expect(scene.git("status", "--porcelain", "--untracked-files=no")).toBe("");
  } finally {
    await receiver.close();
  }
});

describe("a finished run with one check and one gate", () => {
  const { scene, run: play } = makeWitness();
  const resolveFile = (name: string): string => join(scene.repo, "..", name);

  test("[U-10] [U-12] writes reports, and its signed statement holds", async () => {
    const run = await play("good");
    const reported = await scene.signalbox(
      "report",
      run,
      "--reporter",
      `junit=${resolveFile("junit.xml")}`,
      "--reporter",
      "md",
    );
    expect(reported.exit, reported.err).toBe(0);
    expect(readTestReport(readFileSync(resolveFile("junit.xml"), "utf8"))).toMatchObject({ failed: 0 });

    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    writeFileSync(resolveFile("key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    writeFileSync(resolveFile("key.pub.pem"), publicKey.export({ type: "spki", format: "pem" }));
    const signed = await scene.signalbox(
      "attest",
      run,
      "--key",
      resolveFile("key.pem"),
      "--out",
      resolveFile("run.json"),
    );
    expect(signed.exit, signed.err).toBe(0);
    const verify = () =>
      scene.signalbox("verify-statement", resolveFile("run.json"), "--key", resolveFile("key.pub.pem"));
    expect(await verify()).toMatchObject({ exit: 0, out: expect.stringContaining("✓ the statement is valid") });
    const statement = readFileSync(resolveFile("run.json"), "utf8");
    const changed = statement.replace(/"payload":\s*"(.)/, (start, first) =>
      start.replace(first, first === "A" ? "B" : "A"),
    );
    expect(changed).not.toBe(statement);
    writeFileSync(resolveFile("run.json"), changed);
    expect((await verify()).exit).toBe(1);
  });
});
