import { Command } from "../../parts/button.tsx";

export function NoRuns() {
  return (
    <section className="narrow">
      <h2 className="first-line">No runs on this machine yet</h2>
      <p className="quiet-text">Start with the demo, which needs no setup.</p>
      <Command line="signalbox demo" says="run a scripted example without keys or tokens" />
      <Command line="signalbox init" says="set up the current repository" />
      <Command line={'signalbox run "…"'} says="request a change" />
      <p className="quiet-text">Runs appear here as soon as they are recorded.</p>
    </section>
  );
}
