import type { ProjectFiles } from "../detected.ts";
import { type Ecosystem, toCommands } from "./ecosystem.ts";

const FROM = "Gemfile";
const RUBY = "https://www.ruby-lang.org/en/documentation/installation";

export const ruby: Ecosystem = {
  name: "ruby",
  marks: [FROM],
  reads: ["Rakefile", "Gemfile.lock", "*.gemspec"],
  programs: {
    bundle: ["apt install ruby-bundler", RUBY],
    ruby: ["apt install ruby", RUBY],
    rake: ["apt install rake", RUBY],
  },
  toolChains: { RBENV_ROOT: ".rbenv" },
  find(project) {
    const { names } = project;
    return {
      commands: toCommands(FROM, {
        lint: names.has(".rubocop.yml") && isGemRequired(project, "rubocop") && "bundle exec rubocop",
        test: testLine(project),
      }),
      // Installs into the checkout, because the machine's gems belong to others.
      setup: { run: "bundle config set --local path vendor/bundle && bundle install", from: FROM },
    };
  },
};

function testLine({ files, names, paths }: ProjectFiles): string | undefined {
  const rakefile = files.get("Rakefile") ?? "";
  const isSpecs = names.has(".rspec") || paths.some((path) => /^spec\/.*_spec\.rb$/.test(path));
  if (isSpecs && isGemRequired({ files }, "rspec")) return "bundle exec rspec";
  if (/Rake::TestTask|Minitest::TestTask|task\s*:?["']?test\b/.test(rakefile)) return "bundle exec rake test";
  if (/RSpec::Core::RakeTask/.test(rakefile)) return "bundle exec rake spec";
  return /task\s*\(?:?["']?default\b/.test(rakefile) ? "bundle exec rake" : undefined;
}

function isGemRequired({ files }: Pick<ProjectFiles, "files">, gem: string): boolean {
  const said = new RegExp(`["']${gem}(?:-[a-z]+)?["']|^ +${gem} \\(`, "m");
  return [...files].some(([path, text]) => /^Gemfile|\.gemspec$/.test(path) && said.test(text));
}
