import { commandsOf, type Ecosystem } from "./ecosystem.ts";

const FROM = "pom.xml";
/** Starts the test plugin, which only then fetches what it needs, and runs no test with a network. */
const NO_TEST = "-Dtest=NoTest -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false";

export const maven: Ecosystem = {
  name: "maven",
  marks: [FROM],
  programs: { mvn: "sudo apt install maven", java: "sudo apt install default-jdk" },
  find({ names }) {
    const mvn = names.has("mvnw") ? "./mvnw" : "mvn";
    return {
      commands: commandsOf(FROM, { build: `${mvn} -B -o -DskipTests package`, test: `${mvn} -B -o test` }),
      setup: { run: `${mvn} -B -q package ${NO_TEST}`, from: FROM },
    };
  },
};
