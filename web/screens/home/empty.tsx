import { Command } from "../../parts/button.tsx";

export function NoRuns() {
  return (
    <section className="narrow">
      <h2 className="first-line">No run in any repository of this machine</h2>
      <p className="quiet-text">Begin with the one that needs nothing.</p>
      <Command line="signalbox demo" says="the whole story: no keys, no tokens" />
      <Command line="signalbox init" says="set a repository up, in it" />
      <Command line={'signalbox run "…"'} says="ask for a change" />
      <p className="quiet-text">This page fills itself as soon as a run is recorded.</p>
    </section>
  );
}
