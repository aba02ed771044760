import { Command } from "../parts/button.tsx";

/** Without the link's code nothing can be read: the page says how one gets it. */
export function NoSession() {
  return (
    <main className="page narrow">
      <h1>This page needs the link that signalbox opens</h1>
      <p>Its code works once, and this browser remembers the rest. In a terminal:</p>
      <Command line="signalbox ui" says="opens the dashboard with a new link" />
    </main>
  );
}
