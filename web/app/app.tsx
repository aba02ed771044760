import type { ReactNode } from "react";
import { ChangesScreen } from "../screens/changes/changes.tsx";
import { CompareScreen } from "../screens/compare/compare.tsx";
import { CostScreen } from "../screens/cost/cost.tsx";
import { SpendingScreen } from "../screens/cost/spending.tsx";
import { GateScreen } from "../screens/gate/gate.tsx";
import { HomeScreen } from "../screens/home/home.tsx";
import { RunsScreen } from "../screens/home/runs.tsx";
import { InboxScreen } from "../screens/inbox/inbox.tsx";
import { QuestionScreen } from "../screens/question/question.tsx";
import { RunScreen } from "../screens/run/run.tsx";
import { StartScreen } from "../screens/start/start.tsx";
import { usePlace } from "./router.tsx";
import { Shell } from "./shell.tsx";

type Screen = (parts: readonly string[]) => ReactNode;

/** Each address and its screen; what stands in braces comes to it, decoded. */
const SCREENS: readonly (readonly [RegExp, Screen])[] = [
  [/^\/$/, () => <HomeScreen />],
  [/^\/inbox$/, () => <InboxScreen />],
  [/^\/q\/([^/]+)$/, ([id = ""]) => <QuestionScreen key={id} id={id} />],
  [/^\/runs$/, () => <RunsScreen />],
  [/^\/start$/, () => <StartScreen />],
  [/^\/runs\/([^/]+)$/, ([run = ""]) => <RunScreen key={run} run={run} />],
  [/^\/runs\/([^/]+)\/gates(?:\/(.+))?$/, ([run = "", gate]) => <GateScreen key={run} run={run} gate={gate} />],
  [/^\/runs\/([^/]+)\/changes$/, ([run = ""]) => <ChangesScreen key={run} run={run} />],
  [/^\/runs\/([^/]+)\/cost$/, ([run = ""]) => <CostScreen key={run} run={run} />],
  [/^\/cost$/, () => <SpendingScreen />],
  [/^\/compare(?:\/([^/]+)\/([^/]+))?$/, ([a, b]) => <CompareScreen key={`${a} ${b}`} a={a} b={b} />],
];

export function App() {
  const { path } = usePlace();
  return <Shell>{screenAt(path)}</Shell>;
}

function screenAt(path: string): ReactNode {
  for (const [address, screen] of SCREENS) {
    const found = address.exec(path);
    if (found) return screen(found.slice(1).map((part) => part && decodeURIComponent(part)));
  }
  return (
    <div className="page">
      <h1>Nothing is at this address</h1>
      <p>
        <code>{path}</code> names no screen. <a href="/">Go home</a>.
      </p>
    </div>
  );
}
