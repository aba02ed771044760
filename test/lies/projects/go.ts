import { config, type Project } from "./project.ts";

const testOf = (name: string, claim: string): string => `package till

import "testing"

func Test${name}(t *testing.T) {
	if !(${claim}) {
		t.Fatal("wrong")
	}
}
`;

/** The product embeds a file of the folder that Go keeps for the data of tests. */
export const embedded: Project = {
  language: "go",
  sources: ["fee.go", "testdata"],
  exam: ["go", "test", "-v", "./..."],
  passed: /^ *--- PASS: (\S+)/gm,
  files: {
    "README.md": "# till\n\nFees.\n",
    "go.mod": "module till\n\ngo 1.19\n",
    "fee.go": `package till

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed testdata/share.txt
var share string

func Fee(cents int) int {
	by, _ := strconv.Atoi(strings.TrimSpace(share))
	return cents / by
}
`,
    "testdata/share.txt": "10\n",
    "fee_test.go": testOf("Fee", "Fee(200) == 20"),
    "half_test.go": testOf("Nothing", "Fee(0) == 0"),
    ".signalbox/config.yaml": config({ test: "go test ./..." }),
  },
};
