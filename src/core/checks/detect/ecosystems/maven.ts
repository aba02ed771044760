import { type Ecosystem, toCommands } from "./ecosystem.ts";
import { JDK } from "./jdk.ts";

const FROM = "pom.xml";
/**
 * Starts the test plugin without running a test, because it fetches its dependencies only then and the network is
 * available only now.
 */
const NO_TEST = "-Dtest=NoTest -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false";

export const maven: Ecosystem = {
  name: "maven",
  marks: [FROM],
  programs: { mvn: ["apt install maven", "https://maven.apache.org/install.html"], java: JDK },
  find({ names }) {
    const mvn = names.has("mvnw") ? "./mvnw" : "mvn";
    return {
      commands: toCommands(FROM, { build: `${mvn} -B -o -DskipTests package`, test: `${mvn} -B -o test` }),
      setup: { run: `${mvn} -B -q package ${NO_TEST}`, from: FROM },
    };
  },
};
