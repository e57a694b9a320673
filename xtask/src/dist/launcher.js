#!/usr/bin/env node
// Starts the annals program of this platform, which npm installed as an optional dependency.
// Nothing is downloaded. `annals setup` registers the program itself, not this file.
"use strict";

const { spawn } = require("node:child_process");
const path = require("node:path");

const SCOPE = "@SCOPE@";

/** Whether the C library is musl: only glibc reports its version. */
function isMusl() {
  if (process.platform !== "linux") return false;
  const report = process.report;
  if (!report) return false;
  report.excludeNetwork = true;
  return !report.getReport().header.glibcVersionRuntime;
}

function findProgram() {
  const name = `${process.platform}-${process.arch}`;
  // A static program runs with every C library, so it is the second choice everywhere.
  const names = isMusl() ? [`${name}-musl`] : [name, `${name}-musl`];
  for (const candidate of names) {
    try {
      const found = require.resolve(`${SCOPE}/${candidate}/package.json`);
      return path.join(path.dirname(found), "bin", "annals");
    } catch {
      // Not installed: try the next one.
    }
  }
  console.error(`annals: no program for ${names.join(" or ")} is installed`);
  console.error("hint: install again without --omit=optional, or see docs/install.md for other ways");
  process.exit(2);
}

const child = spawn(findProgram(), process.argv.slice(2), { stdio: "inherit" });
// A terminal sends these to the program as well, which decides what they mean.
for (const signal of ["SIGINT", "SIGQUIT"]) process.on(signal, () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`annals: cannot start the program: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const name of ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(name);
  process.kill(process.pid, signal);
});
