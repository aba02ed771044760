import { commandsOf, type Ecosystem } from "./ecosystem.ts";
import { JDK } from "./jdk.ts";

const FROM = "pom.xml";
/** Starts the test plugin, which only then fetches what it needs, and runs no test with a network. */
const NO_TEST = "-Dtest=NoTest -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false";

export const maven: Ecosystem = {
  name: "maven",
  marks: [FROM],
  programs: { mvn: ["apt install maven", "https://maven.apache.org/install.html"], java: JDK },
  find({ names }) {
    const mvn = names.has("mvnw") ? "./mvnw" : "mvn";
    return {
      commands: commandsOf(FROM, { build: `${mvn} -B -o -DskipTests package`, test: `${mvn} -B -o test` }),
      setup: { run: `${mvn} -B -q package ${NO_TEST}`, from: FROM },
    };
  },
};
