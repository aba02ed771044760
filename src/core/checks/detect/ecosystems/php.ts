import type { ProjectFiles } from "../detected.ts";
import { type Ecosystem, toCommands } from "./ecosystem.ts";
import { parsePackageFile } from "./package-file.ts";

const FROM = "composer.json";

export const php: Ecosystem = {
  name: "php",
  marks: [FROM],
  programs: {
    composer: ["apt install composer", "https://getcomposer.org/download"],
    php: ["apt install php-cli", "https://www.php.net/manual/en/install.php"],
  },
  find(project) {
    const scripts = parsePackageFile(project.files.get(FROM))?.scripts ?? {};
    const script = (...names: readonly string[]): string | undefined => {
      const found = names.find((name) => Object.hasOwn(scripts, name));
      return found && `composer run ${found}`;
    };
    return {
      commands: toCommands(FROM, {
        typecheck: script("phpstan", "analyse", "types:check") ?? findAnalysis(project),
        lint: script("lint", "cs:check"),
        test: script("test", "phpunit", "tests") ?? testLine(project),
      }),
      setup: { run: "composer install --no-interaction", from: FROM },
    };
  },
};

const findAnalysis = ({ names }: ProjectFiles): string | undefined =>
  names.has("phpstan.neon") || names.has("phpstan.neon.dist") ? "vendor/bin/phpstan analyse" : undefined;

function testLine({ names, files }: ProjectFiles): string | undefined {
  if ((files.get(FROM) ?? "").includes("pestphp/pest")) return "vendor/bin/pest";
  return names.has("phpunit.xml") || names.has("phpunit.xml.dist") ? "vendor/bin/phpunit" : undefined;
}
