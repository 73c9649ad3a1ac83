import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

/*
 * Makes the standard output look like a file on a disk that no longer responds: whatever is written goes into a pipe that
 * nobody reads.
 */
const folder = fs.mkdtempSync(path.join(tmpdir(), "blocked-disk-"));
const pipe = path.join(folder, "pipe");
execFileSync("mkfifo", [pipe]);
const blocked = fs.openSync(pipe, "r+");
fs.rmSync(folder, { recursive: true });

const { fstatSync, write } = fs;
const no = () => false;
fs.fstatSync = (fd, ...rest) =>
  fd === 1 ? { isCharacterDevice: no, isFIFO: no, isSocket: no } : fstatSync(fd, ...rest);
fs.write = (fd, ...rest) => write(fd === 1 ? blocked : fd, ...rest);
syncBuiltinESMExports();
