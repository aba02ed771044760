import { Command } from "../parts/button.tsx";

/** Explains how to get a link with a code, without which nothing can be read. */
export function NoSession() {
  return (
    <main className="page narrow">
      <h1>Open the dashboard from a terminal</h1>
      <p>The link contains a one-time code. This browser then stays signed in. Run:</p>
      <Command line="signalbox ui" says="opens the dashboard with a new link" />
    </main>
  );
}
