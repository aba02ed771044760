import { type Ecosystem, findMark, toCommands } from "./ecosystem.ts";

const MARKS = ["*.slnx", "*.sln", "*.csproj", "*.fsproj", "*.vbproj"];
const PROJECT = /\.(?:cs|fs|vb)proj$/;

export const dotnet: Ecosystem = {
  name: "dotnet",
  marks: MARKS,
  programs: { dotnet: ["https://dotnet.microsoft.com/download"] },
  find({ files, names, paths }) {
    const from = findMark({ marks: MARKS }, names) ?? "";
    const tested =
      paths.some((path) => PROJECT.test(path) && /tests?\b/i.test(path)) ||
      [...files].some(([path, text]) => PROJECT.test(path) && text.includes("Microsoft.NET.Test.Sdk"));
    return {
      commands: toCommands(from, { build: "dotnet build --no-restore", test: tested && "dotnet test --no-restore" }),
      setup: { run: "dotnet restore", from },
    };
  },
};
