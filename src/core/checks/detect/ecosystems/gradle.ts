import { type Ecosystem, findMark, toCommands } from "./ecosystem.ts";
import { JDK } from "./jdk.ts";

const MARKS = ["settings.gradle.kts", "settings.gradle", "build.gradle.kts", "build.gradle"];

export const gradle: Ecosystem = {
  name: "gradle",
  marks: MARKS,
  programs: { gradle: ["https://gradle.org/install"], java: JDK },
  find({ names }) {
    const from = findMark({ marks: MARKS }, names) ?? "build.gradle";
    const run = `${names.has("gradlew") ? "./gradlew" : "gradle"} --no-daemon`;
    return {
      // `cleanTest` forces a new run; otherwise Gradle only reports that earlier tests are up to date.
      commands: toCommands(from, { build: `${run} --offline assemble`, test: `${run} --offline cleanTest test` }),
      setup: { run: `${run} assemble testClasses`, from },
    };
  },
};
