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
import { usePageLocation } from "./router.tsx";
import { Shell } from "./shell.tsx";

type Screen = (parts: readonly string[]) => ReactNode;

/** Each path pattern with its screen. The groups of the pattern are passed to the screen, decoded. */
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
  const { path } = usePageLocation();
  return <Shell>{selectScreen(path)}</Shell>;
}

function selectScreen(path: string): ReactNode {
  for (const [address, screen] of SCREENS) {
    const found = address.exec(path);
    if (found) return screen(found.slice(1).map((part) => part && decodeURIComponent(part)));
  }
  return (
    <div className="page">
      <h1>Page not found</h1>
      <p>
        <code>{path}</code> does not exist. <a href="/">Go home</a>.
      </p>
    </div>
  );
}
